import { expect, it } from "vitest";
import { isRoomLimited, neverFits, noRoom, placesInMemory } from "../../../src/domain/breakers/room.ts";
import { someSettings } from "../../factories/some-settings.ts";

const GIB = 1024 ** 3;
const given = someSettings();
/** On a machine that keeps 1 GiB of memory for itself and of disk free. */
function promised(memoryGib: number | null, diskGib = 0) {
  const memoryBytes = memoryGib === null ? null : memoryGib * GIB;
  return {
    sandbox: { ...given.sandbox, memoryBytes, hostMemoryBytes: GIB },
    disk: { ...given.disk, minFreeBytes: GIB, perAgentBytes: diskGib * GIB },
  };
}
const machine = { memoryBytes: 16 * GIB, freeDiskBytes: 10 * GIB, atWork: 0 };

it.each([
  [null, 16 * GIB, null],
  [4, 16 * GIB, 3],
  [5, 16 * GIB, 3],
  [15, 16 * GIB, 1],
  [16, 16 * GIB, 0],
  [4, GIB / 2, 0],
])("with %j GiB an agent, %d bytes have room for %j", (gib, memoryBytes, places) => {
  expect(placesInMemory(memoryBytes, promised(gib))).toBe(places);
});

it.each([
  [4, 2, null],
  [4, 3, "an agent is promised 4 GiB of memory, and this machine has room for 3 at once"],
  [10, 1, "an agent is promised 10 GiB of memory, and this machine has room for one at once"],
  [16, 0, "an agent is promised 16 GiB of memory, and this machine has 15 GiB for agents"],
  [null, 100, null],
])("with %j GiB an agent and %d at work, another is refused for %j", (gib, atWork, reason) => {
  const refused = noRoom({ ...machine, atWork }, promised(gib));
  expect(refused?.reason ?? null).toBe(reason);
});

it.each([
  [3, 10, 2, null],
  [3, 10, 3, "the disk of the data directory lacks 3 GiB for another agent beside those at work"],
  [3, null, 3, null],
  [0, 1, 3, null],
])(
  "with %d GiB of disk an agent, %j free and %d at work, it is refused for %j",
  (gib, free, atWork, reason) => {
    const freeDiskBytes = free === null ? null : free * GIB;
    const refused = noRoom({ ...machine, freeDiskBytes, atWork }, promised(null, gib));
    expect(refused?.reason ?? null).toBe(reason);
  },
);

it("only a promise that exceeds the machine never fits", () => {
  expect(neverFits(16 * GIB, promised(15))).toBeNull();
  expect(neverFits(16 * GIB, promised(null))).toBeNull();
  expect(neverFits(GIB / 2, promised(1))?.reason).toContain("this machine has 0 MiB for agents");
});

it.each([
  [null, 0, false],
  [1, 0, true],
  [null, 1, true],
])("with %j GiB of memory and %d of disk an agent, room is limited: %s", (memory, disk, expected) => {
  expect(isRoomLimited(promised(memory, disk))).toBe(expected);
});

it("a refusal names the key that the operator can change", () => {
  expect(noRoom({ ...machine, atWork: 3 }, promised(4))?.change).toContain("lower `sandbox.memory_gib`");
  expect(neverFits(GIB, promised(4))?.change).toContain("lowers `sandbox.memory_gib`");
  const ofDisk = noRoom({ ...machine, freeDiskBytes: GIB }, promised(null, 3));
  expect(ofDisk?.change).toContain("lower `circuit_breakers.disk.per_agent_gib`");
});
