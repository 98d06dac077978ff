import { describe, expect, it } from "vitest";
import { agentMachine } from "../../../src/domain/agents/agent.ts";
import { step } from "../../../src/domain/kernel/state-machine.ts";
import { TASK_STATES, type TaskState } from "../../../src/domain/tasks/task-record.ts";
import { agentEvent } from "../../domain/machines/agent-events.ts";
import { anAgent } from "../../factories/records.ts";
import { surroundings } from "../../factories/surroundings.ts";
import { runWalker } from "../run-walker.ts";
import { refused } from "../walker.ts";
import { MOVES } from "./moves.ts";

/** Its guards: in its table of guards, in the code it gives for them, or used by its rows. */
const LISTED = [
  "withinTurnLimit",
  "hasValidTask",
  "isToolAllowed",
  "isRecoverable",
  "hasValidSession",
  "canPause",
  "canResume",
];
const WRITTEN = [...LISTED, "notAtTurnLimit", "atTurnLimit"];
/** Checked by its tool calls, by nothing at all, and the same as `withinTurnLimit` one turn later. */
const IN_NO_ROW = ["hasValidSession", "isToolAllowed", "notAtTurnLimit"];

/** Its columns of a board in which a task may be started, as states of ours. */
const STARTABLE: Readonly<Record<string, readonly TaskState[]>> = {
  backlog: ["UNCLAIMED"],
  in_progress: ["REJECTED", "INTEGRATION_FAILED"],
};

/** The document's guards, held against those of the tables. The limit of turns has a part of its own. */
export function guards(): void {
  describe("the guards", () => {
    it("are used by its rows, but for three", () => {
      const used = new Set(MOVES.flatMap((move) => move.guards).map((name) => name.replace("!", "")));
      expect(WRITTEN.filter((name) => !used.has(name)).toSorted()).toEqual(IN_NO_ROW);
      expect([...used].filter((name) => !LISTED.includes(name))).toEqual(["atTurnLimit"]);
    });

    it.each([...TASK_STATES, null])(
      "hasValidTask: a coder starts on a task in %s where it is to be had",
      (task) => {
        const event = agentEvent("START", { around: surroundings({ task, run: "idle" }) });
        const result = step(agentMachine, anAgent({ state: "CREATED" }), event);
        const startable = Object.values(STARTABLE)
          .flat()
          .some((one) => one === task);
        expect(result).toMatchObject(
          startable ? { ok: true } : { ok: false, code: "guard_refused", rule: "task" },
        );
      },
    );

    it.each(["initializing", "planning", "executing", "evaluating", "adapting"])(
      "isRecoverable: an error in %s waits for its retry, or ends the run",
      (state) => {
        const way = runWalker.reach(state);
        expect(runWalker.answers(way, { type: "ERROR", recoverable: true })).toEqual([{ to: "error" }]);
        expect(runWalker.answers(way, { type: "ERROR", recoverable: false })).toEqual([{ to: "failed" }]);
      },
    );

    it("canPause and canResume: only what is under way is paused, only what stands still is resumed", () => {
      for (const state of ["idle", "succeeded", "failed", "cancelled", "error"])
        expect(refused(runWalker, runWalker.reach(state), "PAUSE")).toHaveLength(1);
      for (const state of runWalker.states.filter((one) => one !== "paused"))
        expect(refused(runWalker, runWalker.reach(state), "RESUME")).toHaveLength(1);
      for (const state of runWalker.states.filter((one) => one !== "error"))
        expect(refused(runWalker, runWalker.reach(state), "RETRY")).toHaveLength(1);
    });
  });
}
