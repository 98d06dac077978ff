import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { durabilityFaults } from "../../../src/adapters/store/sqlite/durability-faults.ts";
import { temporaryDirectory } from "./temporary.ts";

test.each([
  ["NFS", 0x6969],
  ["CIFS", 0xff534d42],
  ["CIFS", 0xff534d42 - 2 ** 32],
  ["FUSE", 0x65735546],
  ["9P", 0x01021997],
])("a directory on %s is refused, whatever sign its number %i has", (name, type) => {
  const dir = temporaryDirectory();
  expect(durabilityFaults(dir, () => type)).toMatchObject([
    {
      about: dir,
      what: expect.stringContaining(`lies on ${name},`),
      next: expect.stringContaining("FLOTILLA_DATA_DIR"),
    },
  ]);
});

test("a directory on a disk of this machine has no fault, and the trial leaves nothing there", () => {
  const dir = temporaryDirectory();
  expect(durabilityFaults(dir, () => 0xef53)).toEqual([]);
  expect(readdirSync(dir)).toEqual([]);
});

test("of a directory that is not made yet, the disk is that of the nearest above", () => {
  const asked: string[] = [];
  const dir = join(temporaryDirectory(), "not", "made");
  durabilityFaults(dir, (path) => {
    asked.push(path);
    return 0xef53;
  });
  expect(asked).toEqual([dirname(dirname(dir))]);
});
