import { describe, expect, it } from "vitest";
import {
  type AgentUse,
  type DiskMemory,
  diskRefusal,
  ENOUGH_ROOM,
  judgeDisk,
  sizeInWords,
} from "../../src/core/disk.ts";

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const LIMITS = { minFreeBytes: GIB, maxAgentBytes: 10 * GIB };

const use = (agentId: number, bytes: number, complete = true): AgentUse => ({ agentId, bytes, complete });
const judge = (free: number, uses: readonly AgentUse[], memory: DiskMemory = ENOUGH_ROOM) =>
  judgeDisk({ free, uses }, LIMITS, memory);
const stopped = (free: number, uses: readonly AgentUse[], memory?: DiskMemory) =>
  judge(free, uses, memory).stop.map(({ agentId }) => agentId);

describe("with enough room", () => {
  it("stops nobody who keeps no more than its limit", () => {
    expect(judge(GIB, [use(1, 10 * GIB), use(2, 0)])).toEqual({ memory: ENOUGH_ROOM, stop: [] });
  });

  it("stops each who keeps more, and says how much", () => {
    expect(judge(50 * GIB, [use(1, 10 * GIB + 1), use(2, GIB), use(3, 12.34 * GIB, false)]).stop).toEqual([
      {
        agentId: 1,
        reason:
          "this agent keeps 10 GiB on the disk, more than the 10 GiB of circuit_breakers.disk.max_agent_gib",
      },
      {
        agentId: 3,
        reason:
          "this agent keeps at least 12.3 GiB on the disk, more than the 10 GiB of circuit_breakers.disk.max_agent_gib",
      },
    ]);
  });
});

describe("with too little free", () => {
  const low = { low: true, freeAtStop: 412 * MIB };

  it("stops the greatest user and nobody else, with the true figures", () => {
    expect(judge(412.9 * MIB, [use(1, 2 * GIB), use(2, 5 * GIB), use(3, 3 * GIB)])).toEqual({
      memory: { low: true, freeAtStop: 412.9 * MIB },
      stop: [
        {
          agentId: 2,
          reason:
            "the disk has less than 1 GiB free (412 MiB); this agent uses 5 GiB, more than any other at work",
        },
      ],
    });
  });

  it("takes one whose files are too many to be counted for the greatest", () => {
    expect(stopped(0, [use(1, 5 * GIB), use(2, MIB, false), use(3, 2 * MIB, false)])).toEqual([3]);
  });

  it("stops nobody besides the greatest where that one is over its own limit", () => {
    expect(stopped(0, [use(1, 11 * GIB), use(2, 9 * GIB)])).toEqual([1]);
    expect(stopped(0, [use(1, 11 * GIB), use(2, 9 * GIB, false)])).toEqual([1, 2]);
  });

  it("stops no further agent until an eighth of the floor more is gone", () => {
    expect(judge(285 * MIB, [use(2, GIB)], low)).toEqual({ memory: low, stop: [] });
    expect(judge(283 * MIB, [use(2, GIB)], low)).toMatchObject({
      memory: { low: true, freeAtStop: 283 * MIB },
      stop: [{ agentId: 2 }],
    });
  });

  it("remembers that it is low while nobody is at work, and stops the first who comes", () => {
    const nobody = judge(0, []);
    expect(nobody).toEqual({ memory: { low: true, freeAtStop: null }, stop: [] });
    expect(stopped(0, [use(1, 0)], nobody.memory)).toEqual([1]);
  });

  it("ends a tenth above the floor, so that nothing flickers", () => {
    expect(judge(1.05 * GIB, [], low).memory).toEqual(low);
    expect(judge(1.1 * GIB, [], low).memory).toEqual(ENOUGH_ROOM);
    expect(judge(1.05 * GIB, []).memory).toEqual(ENOUGH_ROOM);
  });
});

it("says why nobody starts", () => {
  expect(diskRefusal(LIMITS)).toBe(
    "the disk of the data directory has less than 1 GiB free; it goes on when there is room again",
  );
  expect([0, 1023.9 * MIB, 1.25 * GIB].map(sizeInWords)).toEqual(["0 MiB", "1023 MiB", "1.3 GiB"]);
});
