import { readFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { readProcesses } from "../../src/adapters/sandbox/process-table.ts";
import { createStandstill } from "../../src/adapters/sandbox/standstill.ts";
import { PROCESS_MARK } from "../../src/domain/breakers/process-mark.ts";
import type { Isolation } from "../../src/domain/ports/runner.ts";
import { realHarness } from "../adapters/git/real-harness.ts";
import { type Operation, race } from "./git-races.ts";

/** More show more: RACES=200 is for a quiet machine. */
const ROUNDS = Number(process.env["RACES"] ?? 3);

const OPERATIONS: readonly Operation[] = ["commit", "restore", "status", "checkpoint"];

it.each(OPERATIONS)(
  "%s stops the agent's processes where nothing confines them, and they continue afterwards",
  { timeout: 60_000 + ROUNDS * 10_000 },
  async (operation) => {
    const harness = await realHarness();
    onTestFinished(() => harness.close());
    const mark = `racer@${harness.dataDir}/sessions/1`;
    const states: string[] = [];
    const isolation = watched(createStandstill(harness.dataDir), async () => {
      states.push(...(await statesOf(mark)));
    });
    const outcome = await race(harness.restart({ isolation }), operation, ROUNDS, {
      environment: { [PROCESS_MARK]: mark },
    });
    // Each round waits until the racer exchanges again: only a process that continues does.
    expect(outcome).toMatchObject({ touched: [], found: [], failed: [] });
    expect(outcome.exchanges).toHaveLength(ROUNDS);
    expect(states.length).toBeGreaterThanOrEqual(ROUNDS);
    expect(new Set(states)).toEqual(new Set(["T"]));
  },
);

/** Calls `look` each time that work on files begins. */
function watched(isolation: Isolation, look: () => Promise<void>): Isolation {
  return {
    ...isolation,
    whileStill: (work) =>
      isolation.whileStill(async () => {
        await look();
        return work();
      }),
  };
}

/** As /proc has them of the processes with this mark. */
async function statesOf(mark: string): Promise<readonly string[]> {
  const all = await readProcesses();
  const ours = all.filter(({ environment }) => environment.includes(`${PROCESS_MARK}=${mark}`));
  return ours.map(({ pid }) => {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.charAt(stat.lastIndexOf(")") + 2);
  });
}
