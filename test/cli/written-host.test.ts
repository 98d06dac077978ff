import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { writeFiles } from "../../src/cli/setup/write-files.ts";

const APP = {
  id: 7,
  slug: "flotilla",
  url: "https://github.test/apps/flotilla",
  owner: "acme",
  privateKey: "a key",
  webhookSecret: "s",
  clientId: "Iv1.a",
  clientSecret: "c",
};

function written(address: string, before = ""): NodeJS.Dict<string> {
  const cwd = mkdtempSync(join(tmpdir(), "written-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  if (before !== "") writeFileSync(join(cwd, ".env"), before, { mode: 0o600 });
  writeFiles(cwd, { ...APP, address }, { gheHost: undefined, gheProtocol: "https" });
  return parseEnv(readFileSync(join(cwd, ".env"), "utf8"));
}

test.each([
  ["https://flotilla.example.org", "flotilla.example.org"],
  ["https://flotilla.example.org:8443/", "flotilla.example.org"],
  ["http://localhost:3000", undefined],
  ["http://203.0.113.7:3000", undefined],
  ["http://[2001:db8::1]:3000", undefined],
  ["not an address", undefined],
])("an App at %s is opened under the name %s", (address, name) => {
  expect(written(address)["FLOTILLA_HOSTS"]).toBe(name);
});

test("a list of names that stands there already is kept", () => {
  expect(written("https://flotilla.example.org", "FLOTILLA_HOSTS=mine.test\n")["FLOTILLA_HOSTS"]).toBe(
    "mine.test",
  );
});
