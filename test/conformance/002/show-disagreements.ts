import { describe, expect, it } from "vitest";
import { runMachine, runRecord } from "../../../src/domain/agents/run.ts";
import { step } from "../../../src/domain/kernel/state-machine.ts";
import { runOf } from "../../engine/look.ts";
import { labeled, tell } from "../../engine/people.ts";
import { aRig } from "../../engine/rig.ts";
import { blocked, on } from "../../engine/scripts.ts";
import { AT } from "../../factories/moment.ts";
import { aRun } from "../../factories/records.ts";
import { DISAGREEMENTS, type Row, rowsOf } from "../disagreements.ts";
import { runWalker } from "../run-walker.ts";
import { refused } from "../walker.ts";
import { MADE_WITH, METADATA } from "./record.ts";
import { STATES_002 } from "./states.ts";
import { BEYOND, KEPT, NARROWER, ONLY_IN_MATRIX, SUMMARY } from "./transitions.ts";

const LIVE = [
  "initializing",
  "planning",
  "executing",
  "evaluating",
  "adapting",
  "waiting_input",
  "waiting_agent",
];

/** What holds where document 002 says otherwise. */
const RULINGS: Partial<Record<Row, () => Promise<void> | void>> = {
  neither_bag_nor_switch: async () => {
    for (const place of [METADATA["extra"], MADE_WITH["persistToDb"]])
      expect(place).toEqual({ not: expect.any(String) });
    expect(runRecord.safeParse(aRun()).success).toBe(true);
    expect(runRecord.safeParse({ ...aRun(), extra: {} }).success).toBe(false);
    const rig = await aRig({ script: [on(1, blocked(2))] });
    await tell(rig, labeled(rig, 1));
    const before = await runOf(rig);
    expect(before?.state).toBe("waiting_agent");
    await rig.restart();
    expect(await runOf(rig)).toEqual(before);
  },
  resume_without_memory: () => {
    const forgetful = aRun({ state: "paused", remembered: null });
    expect(step(runMachine, forgetful, { type: "RESUME", at: AT, actor: "alice" })).toMatchObject({
      ok: false,
      code: "nothing_to_resume",
    });
  },
  failure_from_any_state: () => {
    for (const event of ["STEP_FAILED", "TIMEOUT", "MAX_ITERATIONS"] as const) {
      const nowhere: readonly string[] = NARROWER[event] ?? [];
      for (const state of LIVE.filter((one) => !nowhere.includes(one)))
        expect(runWalker.answers(runWalker.reach(state), event)).toEqual([{ to: "failed" }]);
      for (const state of ["idle", "succeeded", "cancelled", "paused", ...nowhere])
        refused(runWalker, runWalker.reach(state), event);
    }
  },
  beyond_the_sources: () => {
    const beyond = BEYOND.filter(({ row }) => row === "beyond_the_sources");
    expect(beyond.flatMap(({ from }) => from)).toEqual(["evaluating"]);
    for (const { to, ours } of beyond)
      expect(runWalker.answers(runWalker.reach("evaluating"), ours)).toEqual([{ to }]);
  },
  end_is_kept: () => {
    for (const state of KEPT) refused(runWalker, runWalker.reach(state), "RESET");
    expect(runWalker.answers(runWalker.reach("failed"), "RESET")).toEqual([{ to: "idle" }]);
  },
  pause_while_starting: () => {
    const paused = runWalker.pathThrough(runWalker.reach("initializing"), ["paused"], { bound: 1 });
    expect(paused?.snapshot).toMatchObject({ remembered: "initializing" });
    expect(runWalker.answers(runWalker.reach("initializing", "paused"), "RESUME")).toEqual([
      { to: "initializing" },
    ]);
  },
  states_against_matrix: () => {
    for (const state of STATES_002)
      for (const to of ONLY_IN_MATRIX[state]) {
        expect(SUMMARY[state]).not.toContain(to);
        expect(runWalker.pathThrough(runWalker.reach(state), [to], { bound: 1 })).not.toBeNull();
      }
  },
  any_to_merged: () => {
    // The Run ends well from anywhere when a person has merged the work or called it complete, and by nothing else.
    const observed = BEYOND.filter(({ row }) => row === "any_to_merged");
    expect(observed.map(({ ours }) => ours)).toEqual(["OBSERVED_DONE"]);
    for (const state of observed.flatMap(({ from }) => from))
      expect(runWalker.answers(runWalker.reach(state), "OBSERVED_DONE")).toEqual([{ to: "succeeded" }]);
  },
};

export function showDisagreements(): void {
  describe("where it disagrees", () => {
    it.each(rowsOf("002"))("%s: our ruling holds", async (row) => {
      expect(DISAGREEMENTS[row].ruling).not.toBe("");
      const ruling = RULINGS[row];
      if (ruling === undefined) throw new Error(`document 002 does not show ${row}`);
      await ruling();
    });

    it("names no other row", () => {
      expect(Object.keys(RULINGS).toSorted()).toEqual(rowsOf("002"));
    });
  });
}
