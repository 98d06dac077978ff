import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checkDisk, checkWritable } from "../../../src/server/start-checks/disk.ts";

const GIB = 1024 ** 3;
const ext4 = { type: 0xef53, bsize: 4096, bavail: (10 * GIB) / 4096 };
const look = (disk: object, minFreeBytes?: number) =>
  checkDisk({ dataDir: "/data", minFreeBytes }, () => ({ ...ext4, ...disk }));

test("a disk of this machine with room has nothing wrong", () => {
  expect(look({})).toEqual({ faults: [], advice: [] });
});

test("a disk that is nearly full is refused with how much is left", () => {
  expect(look({ bavail: (511 * 1024 ** 2) / 4096 }).faults).toMatchObject([
    { what: "has 511 MiB free, less than 512" },
  ]);
  expect(look({ bavail: (512 * 1024 ** 2) / 4096 }).faults).toEqual([]);
});

test("a disk with little in reserve is told of and not refused", () => {
  const { faults, advice } = look({ bavail: (2 * GIB) / 4096 - 1 });
  expect(faults).toEqual([]);
  expect(advice).toMatchObject([{ what: expect.stringContaining("has 2047 MiB free: agents write there") }]);
  expect(look({ bavail: (2 * GIB) / 4096 }).advice).toEqual([]);
  expect(look({ bavail: (2 * GIB) / 4096 }, 5 * GIB).advice).toHaveLength(1);
  expect(look({ bavail: GIB / 4096 }, GIB / 4).advice).toEqual([]);
});

test("a directory in memory is advised against and not refused", () => {
  expect(look({ type: 0x01021994 })).toMatchObject({
    faults: [],
    advice: [{ what: expect.stringContaining("gone when the machine restarts") }],
  });
});

test("of a directory that is not made yet, the disk is that of the nearest above", () => {
  const asked: string[] = [];
  checkDisk({ dataDir: join(tmpdir(), "not", "made") }, (path) => {
    asked.push(path);
    return ext4;
  });
  expect(asked).toEqual([tmpdir()]);
});

test("a directory that cannot be made is refused with the reason, and one that can leaves nothing behind", () => {
  const parent = mkdtempSync(join(tmpdir(), "flotilla-writable-"));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  writeFileSync(join(parent, "file"), "");
  expect(checkWritable(join(parent, "file", "data"))).toMatchObject([
    { what: "cannot be made by this user (ENOTDIR)", next: expect.stringContaining("FLOTILLA_DATA_DIR") },
  ]);
  expect(checkWritable("/proc/nope/data")).toMatchObject([{ what: "cannot be made by this user (ENOENT)" }]);
  expect(checkWritable(join(parent, "new", "data"))).toEqual([]);
  expect(checkWritable(parent)).toEqual([]);
  expect(readdirSync(parent)).toEqual(["file"]);
});
