import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { StartupRefused } from "../../src/domain/kernel/errors.ts";
import { secretFile } from "../../src/server/secret-file.ts";

function directory(): string {
  const path = mkdtempSync(join(tmpdir(), "secret-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

test("a secret is made once, for its user only, and kept", () => {
  const dataDir = directory();
  const made = secretFile(dataDir, "dashboard-token");
  expect(made).toMatch(/^[0-9a-f]{64}$/);
  expect(readFileSync(join(dataDir, "dashboard-token"), "utf8")).toBe(`${made}\n`);
  expect(statSync(join(dataDir, "dashboard-token")).mode & 0o777).toBe(0o600);
  expect(secretFile(dataDir, "dashboard-token")).toBe(made);
});

test.each(["", "\n", "short\n", `${"x".repeat(23)}\n`])(
  "one that was cut to %j is refused, with what to do",
  (text) => {
    const dataDir = directory();
    writeFileSync(join(dataDir, "dashboard-token"), text);
    expect(() => secretFile(dataDir, "dashboard-token")).toThrow(StartupRefused);
    expect(() => secretFile(dataDir, "dashboard-token")).toThrow("delete it, and a new secret is made");
  },
);
