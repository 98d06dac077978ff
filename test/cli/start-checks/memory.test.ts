import { expect, test } from "vitest";
import { machineMemory } from "../../../src/server/machine-memory.ts";
import { checkMemory, logMemory } from "../../../src/server/start-checks/memory.ts";
import { someSettings } from "../../factories/some-settings.ts";

const GIB = 1024 ** 3;
const { sandbox } = someSettings();

const promised = (gib: number | null) => ({
  sandbox: { ...sandbox, memoryBytes: gib === null ? null : gib * GIB, hostMemoryBytes: GIB },
});

/** Returns what the start logs on a machine with 8 GiB. */
function logged(gib: number | null): readonly string[] {
  const lines: string[] = [];
  const at = (level: string) => (fields: object, message: string) =>
    void lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
  const log = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
  logMemory(promised(gib), 8 * GIB, log);
  return lines;
}

test.each([
  [0, 8, 8],
  [4, 8, 4],
  [2 ** 33, 8, 8],
])("a limit of %d GiB on a machine with %d leaves %d", (limit, all, left) => {
  expect(machineMemory(limit * GIB, all * GIB)).toBe(left * GIB);
});

test("this machine has memory", () => {
  expect(machineMemory()).toBeGreaterThan(GIB / 8);
});

test("doctor advises only about a promise that never fits", () => {
  expect(checkMemory(promised(7), 8 * GIB)).toEqual([]);
  expect(checkMemory(promised(null), 8 * GIB)).toEqual([]);
  expect(checkMemory(promised(8), 8 * GIB)).toMatchObject([
    {
      about: "sandbox.memory_gib",
      what: "an agent is promised 8 GiB of memory, and this machine has 7 GiB for agents: no agent starts",
    },
  ]);
});

test("the start logs how many agents fit, and warns where none does", () => {
  expect(logged(null)).toEqual([]);
  expect(logged(2)).toEqual([
    expect.stringMatching(/^info agents start where their memory fits .*"places":3/),
  ]);
  expect(logged(8)).toEqual([
    expect.stringMatching(
      /^warn an agent's memory does not fit on this machine .*Lower `sandbox\.memory_gib`/,
    ),
  ]);
});
