import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fileAdvice, refuseUnreadable } from "../../../src/cli/runtimes/file-faults.ts";
import { temporaryDirectory } from "../../adapters/store/temporary.ts";

const fault = (code: string) => Object.assign(new Error(`${code}: no`), { code, syscall: "mkdir" });

it.each([
  ["EACCES", /^Run the command as the user that Flotilla runs as/],
  ["EROFS", /^Make that file system writable/],
  ["ENOSPC", /^Free space on that disk/],
  ["ENOTDIR", /^Correct FLOTILLA_DATA_DIR/],
])("of %s says what to do", (code, advice) => {
  expect(fileAdvice(fault(code))).toMatch(advice);
});

it("of what no file system said, says nothing", () => {
  expect(fileAdvice(new Error("no"))).toBeNull();
  expect(fileAdvice(Object.assign(new Error("no"), { code: "ERR_INVALID_ARG" }))).toBeNull();
});

it("refuses where it cannot see what is installed, and not where nothing is", () => {
  const dataDir = temporaryDirectory();
  expect(() => refuseUnreadable(dataDir)).not.toThrow();
  mkdirSync(join(dataDir, "runtimes"));
  expect(() => refuseUnreadable(dataDir)).not.toThrow();
  const file = join(dataDir, "file");
  writeFileSync(file, "");
  expect(() => refuseUnreadable(file)).toThrow(/^The installed runtimes cannot be read: ENOTDIR: .*\.$/);
});
