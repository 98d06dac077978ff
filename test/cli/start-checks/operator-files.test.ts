import {
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

it("ignores a link, a directory and a file of another user, and says so once", async () => {
  writeFileSync(join(dataDir, "target"), "");
  symlinkSync(join(dataDir, "target"), join(dataDir, "PAUSE"));
  mkdirSync(join(dataDir, "ABORT"));
  const ours = files();
  expect(await there(ours)).toEqual([]);
  expect(await there(ours)).toEqual([]);
  expect(warned).toHaveLength(2);
  expect(warned.join()).toContain(join(dataDir, "PAUSE"));
  rmSync(join(dataDir, "PAUSE"));
  writeFileSync(join(dataDir, "CHECKPOINT"), "");
  const owner = process.getuid?.() ?? 0;
  const found = await there(files(owner + 1));
  expect(found).toEqual(owner === 0 ? ["CHECKPOINT"] : []);
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
