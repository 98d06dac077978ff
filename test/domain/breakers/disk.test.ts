import { describe, expect, it } from "vitest";
import {
  type AgentUse,
  afterStops,
  type DiskMemory,
  type DiskReading,
  diskLimits,
  diskRefusal,
  ENOUGH_ROOM,
  fileFloor,
  isBelowFloor,
  judgeDisk,
  needsEarlyReading,
} from "../../../src/domain/breakers/disk.ts";
import { sizeInWords } from "../../../src/domain/breakers/disk-words.ts";
import type { DiskSpace } from "../../../src/domain/ports/runner.ts";

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const LIMITS = { minFreeBytes: GIB, maxAgentBytes: 10 * GIB, maxAgentFiles: 1_000_000 };
const MANY_FILES = { freeFiles: 9_000_000, allFiles: 10_000_000 };

const use = (agentId: number, bytes: number, other: Partial<AgentUse> = {}): AgentUse => ({
  agentId,
  name: `agent-${agentId}`,
  state: "at_work",
  bytes,
  files: 10,
  hidden: false,
  ...other,
});
const free = (freeBytes: number, files: Partial<DiskSpace> = {}): DiskSpace => ({
  freeBytes,
  ...MANY_FILES,
  ...files,
});
const few = (freeFiles: number) => free(50 * GIB, { freeFiles, allFiles: 10_000_000 });
const judge = (
  space: DiskSpace,
  uses: readonly AgentUse[],
  memory: DiskMemory = ENOUGH_ROOM,
  last: DiskReading | null = null,
) => judgeDisk({ space, uses }, LIMITS, memory, last);
const stopped = (bytes: number, uses: readonly AgentUse[], memory?: DiskMemory) =>
  judge(free(bytes), uses, memory).stop.map(({ agentId }) => agentId);
const lowSince = (freeAtStop: number | null): DiskMemory => ({
  ...ENOUGH_ROOM,
  bytes: { low: true, freeAtStop },
});

it("is limited in GiB, which the rules count in bytes", () => {
  expect(diskLimits.schema.parse({})).toEqual({ ...LIMITS, perAgentBytes: 0 });
  expect(diskLimits.schema.parse({ min_free_gib: 2.5 })).toMatchObject({
    ...LIMITS,
    minFreeBytes: 2.5 * GIB,
  });
});

describe("with enough room", () => {
  it("stops nobody who keeps no more than its limits", () => {
    const uses = [use(1, 10 * GIB, { files: 1_000_000 }), use(2, 0)];
    expect(judge(free(GIB), uses)).toEqual({ memory: ENOUGH_ROOM, stop: [], unexplained: null });
  });

  it("stops each that keeps more, asleep or not, and says how much", () => {
    const uses = [
      use(1, 10 * GIB + 1),
      use(2, GIB),
      use(3, 12.34 * GIB, { state: "asleep" }),
      use(4, MIB, { files: 1_000_001 }),
      use(5, 20 * GIB, { state: "stopped" }),
    ];
    expect(judge(free(50 * GIB), uses).stop).toEqual([
      {
        agentId: 1,
        reason:
          "this agent keeps 10 GiB on the disk, more than the 10 GiB of circuit_breakers.disk.max_agent_gib",
      },
      {
        agentId: 3,
        reason:
          "this agent keeps 12.3 GiB on the disk, more than the 10 GiB of circuit_breakers.disk.max_agent_gib",
      },
      {
        agentId: 4,
        reason:
          "this agent keeps more than 1,000,000 files on the disk, more than the 1,000,000 files of circuit_breakers.disk.max_agent_files",
      },
    ]);
  });
});

describe("with too few bytes free", () => {
  const low = lowSince(412 * MIB);

  it("stops the greatest user and nobody else, with the true figures", () => {
    expect(judge(free(412.9 * MIB), [use(1, 2 * GIB), use(2, 5 * GIB), use(3, 3 * GIB)])).toEqual({
      memory: lowSince(412.9 * MIB),
      stop: [
        {
          agentId: 2,
          reason:
            "the disk has less than 1 GiB free (412 MiB); this agent uses 5 GiB, more than any other at work",
        },
      ],
      unexplained: null,
    });
  });

  it("stops nobody besides the greatest where that one is over its own limit", () => {
    expect(stopped(0, [use(1, 11 * GIB), use(2, 9 * GIB)])).toEqual([1]);
  });

  it("stops no agent that keeps less than is left, half of the floor at most, an eighth at least", () => {
    expect(stopped(0.9 * GIB, [use(1, 511 * MIB)])).toEqual([]);
    expect(stopped(0.9 * GIB, [use(1, 512 * MIB)])).toEqual([1]);
    expect(stopped(300 * MIB, [use(1, 299 * MIB)])).toEqual([]);
    expect(stopped(300 * MIB, [use(1, 300 * MIB)])).toEqual([1]);
    expect(stopped(0, [use(1, 127 * MIB)])).toEqual([]);
    expect(stopped(0, [use(1, 128 * MIB)])).toEqual([1]);
  });

  it("says that no agent explains it, and judges again at the next look", () => {
    const verdict = judge(free(200 * MIB), [use(1, 100 * MIB), use(2, 5 * GIB, { state: "stopped" })]);
    expect(verdict).toEqual({
      memory: lowSince(null),
      stop: [],
      unexplained: "the disk has less than 1 GiB free (200 MiB), and no agent keeps a notable part of it",
    });
    expect(stopped(200 * MIB, [use(1, 300 * MIB)], verdict.memory)).toEqual([1]);
  });

  it("stops one that hides what it has open, where no other keeps much", () => {
    const hides = use(2, MIB, { hidden: true });
    expect(judge(free(0), [use(1, 100 * MIB), hides, use(3, 0, { hidden: true })]).stop).toEqual([
      {
        agentId: 2,
        reason:
          "the disk has less than 1 GiB free (0 MiB); this agent hides files that its processes have open, and no other agent explains what is gone",
      },
    ]);
    expect(stopped(0, [use(1, 200 * MIB), hides])).toEqual([1]);
    expect(stopped(0, [use(1, MIB, { hidden: true, state: "asleep" })])).toEqual([]);
  });

  it("stops nobody, not even the greatest user, where what agents keep did not grow by half of what was lost", () => {
    const last = { space: free(51 * GIB), uses: [use(1, 700 * MIB), use(2, 0)] };
    const after = (...now: readonly AgentUse[]) => judge(free(GIB / 2), now, ENOUGH_ROOM, last);
    expect(after(use(1, 720 * MIB), use(2, MIB))).toMatchObject({
      stop: [],
      unexplained:
        "the disk has less than 1 GiB free (512 MiB), and 50.5 GiB went while what agents keep grew by 21 MiB",
    });
    const hides = use(2, 0, { hidden: true });
    expect(after(use(1, 720 * MIB), hides).stop).toMatchObject([{ agentId: 2 }]);
    expect(after(use(1, 25 * GIB), use(2, 0)).unexplained).not.toBeNull();
    expect(after(use(1, 9 * GIB), use(3, 17 * GIB, { state: "stopped" })).stop).toMatchObject([
      { agentId: 1 },
    ]);
  });

  it("stops the greatest user where less than an eighth of the floor went, although its files did not grow", () => {
    const uses = [use(1, 5 * GIB)];
    const before = [127, 128].map((lost) => ({ space: free(GIB / 2 + lost * MIB), uses }));
    expect(before.map((last) => judge(free(GIB / 2), uses, ENOUGH_ROOM, last).stop.length)).toEqual([1, 0]);
  });

  it("stops a sleeper that keeps most, and below half of the floor the greatest at work too", () => {
    const uses = [use(1, 2 * GIB), use(2, 5 * GIB, { state: "asleep" })];
    expect(judge(free(600 * MIB), uses).stop).toEqual([
      {
        agentId: 2,
        reason:
          "the disk has less than 1 GiB free (600 MiB); this agent sleeps and keeps 5 GiB, more than any other",
      },
    ]);
    expect(stopped(511 * MIB, uses)).toEqual([1, 2]);
    expect(stopped(511 * MIB, [use(1, 5 * GIB), use(2, 2 * GIB, { state: "asleep" })])).toEqual([1]);
    expect(stopped(511 * MIB, [use(1, MIB), use(2, 2 * GIB, { state: "asleep" })])).toEqual([2]);
  });

  it("stops no further agent until an eighth of the floor, or half of the rest, is gone", () => {
    expect(judge(free(285 * MIB), [use(2, GIB)], low)).toEqual({ memory: low, stop: [], unexplained: null });
    expect(judge(free(283 * MIB), [use(2, GIB)], low)).toMatchObject({
      memory: lowSince(283 * MIB),
      stop: [{ agentId: 2 }],
    });
    expect(stopped(33 * MIB, [use(2, GIB)], lowSince(64 * MIB))).toEqual([]);
    expect(stopped(32 * MIB, [use(2, GIB)], lowSince(64 * MIB))).toEqual([2]);
    expect(stopped(0, [use(2, GIB)], lowSince(0))).toEqual([2]);
  });

  it("ends a tenth above the floor, so that nothing flickers", () => {
    expect(judge(free(1.05 * GIB), [], low).memory).toEqual(low);
    expect(judge(free(1.1 * GIB), [], low).memory).toEqual(ENOUGH_ROOM);
    expect(judge(free(1.05 * GIB), []).memory).toEqual(ENOUGH_ROOM);
  });

  it("is looked at soon when it begins and with each further step", () => {
    expect(needsEarlyReading(free(GIB), LIMITS, ENOUGH_ROOM)).toBe(false);
    expect(needsEarlyReading(free(GIB - 1), LIMITS, ENOUGH_ROOM)).toBe(true);
    expect(needsEarlyReading(free(285 * MIB), LIMITS, low)).toBe(false);
    expect(needsEarlyReading(free(283 * MIB), LIMITS, low)).toBe(true);
    expect([isBelowFloor(free(GIB), LIMITS), isBelowFloor(free(GIB - 1), LIMITS)]).toEqual([false, true]);
  });

  it("measures the next step from what is free after the stop", () => {
    expect(afterStops(lowSince(0), free(32 * MIB))).toEqual(lowSince(32 * MIB));
    expect(afterStops(lowSince(64 * MIB), free(32 * MIB))).toEqual(lowSince(64 * MIB));
    expect(afterStops(lowSince(null), free(32 * MIB))).toEqual(lowSince(null));
  });
});

describe("with too few files free", () => {
  it("stops the agent that has most files", () => {
    const verdict = judge(few(12_000), [use(1, 5 * GIB), use(2, 0, { files: 800_000 })]);
    expect(verdict).toEqual({
      memory: { ...ENOUGH_ROOM, files: { low: true, freeAtStop: 12_000 } },
      stop: [
        {
          agentId: 2,
          reason:
            "the disk has less than 50,000 files free (12,000 files); this agent uses 800,000 files, more than any other at work",
        },
      ],
      unexplained: null,
    });
    expect(judge(few(12_000), [use(1, 5 * GIB)]).unexplained).toContain("12,000 files");
    expect(judge(few(50_000), [use(2, 0, { files: 800_000 })]).stop).toEqual([]);
  });

  it("stops nobody where agents' files do not explain where the others went", () => {
    const last = { space: few(900_000), uses: [use(1, 0, { files: 700_000 })] };
    const { stop, unexplained } = judge(few(12_000), [use(1, 0, { files: 700_009 })], ENOUGH_ROOM, last);
    expect([stop, unexplained]).toEqual([[], expect.stringContaining("888,000 files went while what")]);
  });

  it("keeps a twentieth of them free on small disks, and none where they are not limited", () => {
    expect(fileFloor(free(GIB, { allFiles: 100_000 }), LIMITS)).toBe(5_000);
    expect(fileFloor(free(GIB, { allFiles: null, freeFiles: null }), LIMITS)).toBe(0);
    expect(fileFloor(free(GIB), { ...LIMITS, minFreeBytes: 0 })).toBe(0);
    expect(judge(free(GIB, { allFiles: null, freeFiles: null }), [use(1, 0)]).memory).toEqual(ENOUGH_ROOM);
  });

  it("stops an agent once that is too great in both", () => {
    const both = free(0, { freeFiles: 0 });
    const { stop } = judge(both, [use(1, 5 * GIB, { files: 800_000 })]);
    expect(stop).toEqual([{ agentId: 1, reason: expect.stringContaining("uses 5 GiB") }]);
  });
});

it("says why nobody starts", () => {
  expect(diskRefusal(free(0), LIMITS)).toBe(
    "the disk of the data directory has less than 1 GiB free; it continues when there is room again",
  );
  expect(diskRefusal(free(1.05 * GIB), LIMITS)).toContain("less than 1 GiB free");
  expect(diskRefusal(free(9 * GIB, { freeFiles: 1 }), LIMITS)).toContain("less than 50,000 files free");
  expect([0, 1023.9 * MIB, 1.25 * GIB].map(sizeInWords)).toEqual(["0 MiB", "1023 MiB", "1.3 GiB"]);
});
