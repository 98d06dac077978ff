import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeOwnDirectory } from "../../../../src/adapters/runtimes/process/agent-files.ts";

function aDirectory(): string {
  const top = mkdtempSync(join(tmpdir(), "flotilla-own-"));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  return top;
}

const modeOf = (path: string) => statSync(path).mode & 0o777;

test.each([0, 0o500, 0o044])("a directory of mode %o can be used by its owner again", async (mode) => {
  const path = join(aDirectory(), "state");
  mkdirSync(path);
  writeFileSync(join(path, "kept"), "");
  chmodSync(path, mode);
  await makeOwnDirectory(path);
  expect(modeOf(path)).toBe(0o700);
  expect(statSync(join(path, "kept")).isFile()).toBe(true);
});

test("a directory that its owner can use keeps its mode", async () => {
  const path = join(aDirectory(), "state");
  mkdirSync(path);
  chmodSync(path, 0o750);
  await makeOwnDirectory(path);
  expect(modeOf(path)).toBe(0o750);
});

test("a link is replaced by a directory, and what it leads to keeps its mode", async () => {
  const top = aDirectory();
  const target = join(top, "target");
  mkdirSync(target);
  chmodSync(target, 0);
  symlinkSync(target, join(top, "state"));
  await makeOwnDirectory(join(top, "state"));
  expect(modeOf(target)).toBe(0);
  expect(modeOf(join(top, "state"))).toBe(0o700);
});
