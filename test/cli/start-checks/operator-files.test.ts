import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createOperatorFiles } from "../../../src/server/operator-files.ts";

let dataDir: string;
let warned: string[];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "flotilla-switches-"));
  warned = [];
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const silent = () => {};

const files = (us?: number) => {
  const log = {
    debug: silent,
    info: silent,
    error: silent,
    warn: (about: object) => warned.push(JSON.stringify(about)),
  };
  return createOperatorFiles(dataDir, log, us);
};
const there = async (from = files()) => [...(await from.present()).keys()];

it("finds the files by their names, whatever is in them", async () => {
  expect(await there()).toEqual([]);
  writeFileSync(join(dataDir, "PAUSE"), "");
  writeFileSync(join(dataDir, "ABORT"), "not now");
  writeFileSync(join(dataDir, "pause"), "");
  expect(await there()).toEqual(["PAUSE", "ABORT"]);
});

it("ignores a link and a directory, and says so once for as long as each is there", async () => {
  writeFileSync(join(dataDir, "target"), "");
  symlinkSync(join(dataDir, "target"), join(dataDir, "PAUSE"));
  mkdirSync(join(dataDir, "ABORT"));
  const ours = files();
  expect(await there(ours)).toEqual([]);
  expect(await there(ours)).toEqual([]);
  expect(warned).toHaveLength(2);
  expect(warned.join()).toContain(join(dataDir, "PAUSE"));
  rmSync(join(dataDir, "PAUSE"));
  expect(await there(ours)).toEqual([]);
  expect(warned).toHaveLength(2);
  symlinkSync(join(dataDir, "target"), join(dataDir, "PAUSE"));
  expect(await there(ours)).toEqual([]);
  expect(warned).toHaveLength(3);
});

it("counts a file of its own user and of root, and of no other user", async () => {
  const we = process.getuid?.() ?? 0;
  const user = we === 0 ? 1234 : we;
  for (const file of ["CHECKPOINT", "ABORT"]) writeFileSync(join(dataDir, file), "");
  // Only root can give a file away, and only root's tests have one of root.
  if (we === 0) chownSync(join(dataDir, "CHECKPOINT"), user, user);
  else rmSync(join(dataDir, "ABORT"));
  const rootsOwn = we === 0 ? ["ABORT"] : [];
  expect(await there(files(user))).toEqual(["CHECKPOINT", ...rootsOwn]);
  expect(warned).toEqual([]);
  expect(await there(files(user + 1))).toEqual(rootsOwn);
  expect(warned.join()).toContain(`"owner":${user},"us":${user + 1}`);
});

it("says since when a file is there: also one that is moved back counts from then on", async () => {
  const ours = files();
  const kept = join(dataDir, "kept");
  writeFileSync(kept, "");
  const longAgo = new Date(1000);
  utimesSync(kept, longAgo, longAgo);
  const before = statSync(kept).ctimeMs;
  renameSync(kept, join(dataDir, "CHECKPOINT"));
  const since = (await ours.present()).get("CHECKPOINT");
  expect(since).toBeGreaterThanOrEqual(Math.floor(before));
  expect(since).toBe(Math.floor(statSync(join(dataDir, "CHECKPOINT")).ctimeMs));
});

it("throws where it cannot look, so that nothing counts as removed", async () => {
  dataDir = join(dataDir, "file");
  writeFileSync(dataDir, "");
  await expect(files().present()).rejects.toThrow("ENOTDIR");
});
