import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { redactor } from "../../src/domain/access/redact.ts";
import { StartupRefused } from "../../src/domain/kernel/errors.ts";
import { markerSecret, secretFile } from "../../src/server/secret-file.ts";
import { memoryStore } from "../factories/memory-store.ts";

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

const GIVEN = "the-secret-of-the-environment";
const OLDER = "the-secret-of-an-earlier-version";

function database(redact = redactor([])) {
  const store = memoryStore({ redact });
  onTestFinished(() => store.close());
  return store;
}

test("the secret of the marks is made once for all processes on a database, and leaves no file", async () => {
  const store = database();
  const [first, second] = [directory(), directory()];
  const made = await markerSecret(undefined, { dataDir: first, store });
  expect(made).toMatch(/^[0-9a-f]{64}$/);
  expect(await markerSecret(undefined, { dataDir: second, store })).toBe(made);
  expect([...readdirSync(first), ...readdirSync(second)]).toEqual([]);
});

test("two processes that start at the same time on a new database sign with the same secret", async () => {
  const store = database();
  const both = [directory(), directory()].map((dataDir) => markerSecret(undefined, { dataDir, store }));
  const [first, second] = await Promise.all(both);
  expect(second).toBe(first);
});

test("that of an earlier version is taken over from its file, and counts from then on", async () => {
  const store = database();
  const dataDir = directory();
  writeFileSync(join(dataDir, "marker-secret"), `${OLDER}\n`);
  expect(await markerSecret(undefined, { dataDir, store })).toBe(OLDER);
  writeFileSync(join(dataDir, "marker-secret"), `${GIVEN}\n`);
  expect(await markerSecret(undefined, { dataDir, store })).toBe(OLDER);
});

test("that of the environment comes first, and is not written into the database", async () => {
  const store = database();
  const dataDir = directory();
  writeFileSync(join(dataDir, "marker-secret"), `${OLDER}\n`);
  expect(await markerSecret(GIVEN, { dataDir, store })).toBe(GIVEN);
  expect(await store.keptSecrets.get("marker")).toBeUndefined();
});

test("one that would be redacted is refused at each start, and nothing is kept in its place", async () => {
  const store = database();
  const dataDir = directory();
  writeFileSync(join(dataDir, "marker-secret"), `ghp_${"a1B2".repeat(9)}\n`);
  for (let start = 1; start <= 2; start += 1)
    await expect(markerSecret(undefined, { dataDir, store })).rejects.toThrow("FLOTILLA_MARKER_SECRET");
  expect(await store.keptSecrets.get("marker")).toBeUndefined();
});
