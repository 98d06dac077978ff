import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lockDataDirectory } from "../../../src/adapters/store/data-directory-lock.ts";
import { StartupRefused } from "../../../src/domain/kernel/errors.ts";
import { startChild } from "./child.ts";
import { temporaryDirectory } from "./temporary.ts";

test("a second process is refused and told who holds the directory, until the first is gone", async () => {
  const dir = temporaryDirectory();
  const child = startChild(new URL("./children/hold-lock.ts", import.meta.url), dir);
  expect((await child.lines.next()).value).toBe("locked");
  expect(() => lockDataDirectory(dir)).toThrow(StartupRefused);
  expect(() => lockDataDirectory(dir)).toThrow(
    new RegExp(
      `another flotilla process \\(pid ${child.pid}, started 20\\d\\d-.*Z\\) uses .*: stop it or set FLOTILLA_DATA_DIR`,
    ),
  );
  await child.kill();
  lockDataDirectory(dir)();
});

test("a lock holds within its own process too, and ends with its release", () => {
  const dir = temporaryDirectory();
  const release = lockDataDirectory(dir);
  expect(() => lockDataDirectory(dir)).toThrow(`pid ${process.pid}`);
  release();
  release();
  lockDataDirectory(dir)();
});

test("a missing data directory is made for its owner alone", () => {
  const dir = join(temporaryDirectory(), "deep", "data");
  const release = lockDataDirectory(dir);
  expect(statSync(dir).mode & 0o777).toBe(0o700);
  release();
});

test.each([
  ["under a file", (dir: string) => writeFileSync(join(dir, "data"), "")],
  [
    "with no place for the lock",
    (dir: string) => mkdirSync(join(dir, "data", "inner", "lock.db"), { recursive: true }),
  ],
])("a directory %s is refused with what to do", (_, prepare) => {
  const dir = temporaryDirectory();
  prepare(dir);
  expect(() => lockDataDirectory(join(dir, "data", "inner"))).toThrow(StartupRefused);
  expect(() => lockDataDirectory(join(dir, "data", "inner"))).toThrow(
    /make it writable .* or set FLOTILLA_DATA_DIR/,
  );
});
