import { expect, test } from "vitest";
import { memoryEnd, NO_EVENTS, readMemoryEvents } from "../../../src/domain/breakers/memory-end.ts";

const MIB = 1024 ** 2;
const ONE = { atLimit: 1, killed: 1 };

test("reads what the kernel counts, in any order, and nothing of an empty file", () => {
  const text = "low 0\nhigh 0\nmax 230\noom 2\noom_kill 5\noom_group_kill 1\n";
  expect(readMemoryEvents(text)).toEqual({ atLimit: 2, killed: 5 });
  expect(readMemoryEvents("oom_kill 3\noom 1")).toEqual({ atLimit: 1, killed: 3 });
  expect(readMemoryEvents("")).toEqual(NO_EVENTS);
});

test("says nothing where no process was killed, even at the limit, or where it was before", () => {
  expect(memoryEnd(NO_EVENTS, NO_EVENTS, MIB)).toBeNull();
  expect(memoryEnd(NO_EVENTS, { atLimit: 3, killed: 0 }, MIB)).toBeNull();
  expect(memoryEnd(ONE, ONE, MIB)).toBeNull();
});

test("names the limit and its key where the agent's processes reached it", () => {
  expect(memoryEnd(ONE, { atLimit: 2, killed: 4 }, 512 * MIB)).toBe(
    "its processes together used more memory than their limit of 512 MiB: raise `sandbox.memory_gib`, or have the work use less",
  );
});

test.each([
  ["below its own limit", { atLimit: 1, killed: 2 }, 512 * MIB],
  ["without a limit of its own", { atLimit: 2, killed: 2 }, null],
])("blames the machine for an agent that is killed %s", (_, after, limit) => {
  expect(memoryEnd(ONE, after, limit)).toMatch(
    /^the machine or Flotilla's service ran out of memory, .*: lower `runtime\.max_concurrent_agents`/,
  );
});
