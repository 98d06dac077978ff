import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { writeFiles } from "../../src/cli/setup/write-files.ts";
import { printSchema } from "../../src/config/published-schema.ts";

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

test("config.yaml begins with the schema of the Flotilla that wrote it", () => {
  const cwd = mkdtempSync(join(tmpdir(), "written-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  writeFiles(cwd, { ...APP, address: "http://localhost:3000" }, { gheHost: undefined, gheProtocol: "https" });
  const [first = ""] = readFileSync(join(cwd, "config.yaml"), "utf8").split("\n");
  const path = /^# yaml-language-server: \$schema=(.+)$/.exec(first)?.[1] ?? "";
  expect(readFileSync(resolve(cwd, path), "utf8")).toBe(printSchema("config.json"));
});
