import { describe, expect, it } from "vitest";
import { step } from "../../../src/core/machine.ts";
import { agentMachine } from "../../../src/core/machines/agent.ts";
import {
  type OperationCode,
  OperationError,
  type OperationFault,
} from "../../../src/core/operation-fault.ts";
import { guardOperation } from "../../../src/core/operations.ts";
import { agentEvent } from "../../core/machines/agent-events.ts";
import { agentOf, answersTo, decisionsOn, stateOf } from "../../engine/look.ts";
import { labeled, said, tell } from "../../engine/people.ts";
import { aRig } from "../../engine/rig.ts";
import { call, commit, complete, edit, on, openPr, work } from "../../engine/scripts.ts";
import { anAgent } from "../../factories/records.ts";
import { surroundings } from "../../factories/surroundings.ts";
import { agentWalker } from "../agent-walker.ts";
import { runWalker } from "../run-walker.ts";
import { refused } from "../walker.ts";
import type { TheirEvent } from "./moves.ts";

/** Its error codes: when each is met, ours, and what its way out becomes here. */
const ERRORS: readonly {
  readonly at: TheirEvent;
  readonly theirs: string;
  readonly fault: OperationFault;
  readonly wayOut: string;
}[] = [
  {
    at: "START",
    theirs: "TASK_NOT_FOUND",
    fault: { code: "task_not_found", issue: 42 },
    wayOut: "/flotilla start",
  },
  {
    at: "START",
    theirs: "AGENT_ALREADY_RUNNING",
    fault: { code: "agent_already_running", agent: "feat-dev-issue-42" },
    wayOut: "flotilla agents send",
  },
  {
    at: "STEP",
    theirs: "AGENT_TOOL_NOT_ALLOWED",
    fault: { code: "tool_not_allowed", tool: "open_pr" },
    wayOut: "`tools`",
  },
  {
    at: "STEP",
    theirs: "AGENT_TURN_LIMIT_EXCEEDED",
    fault: { code: "turn_limit_exceeded", turns: 50 },
    wayOut: "/flotilla continue",
  },
  {
    at: "STEP",
    theirs: "AGENT_EXECUTION_ERROR",
    fault: { code: "internal", detail: "the tool broke" },
    wayOut: "the log",
  },
  {
    at: "RESUME",
    theirs: "AGENT_NOT_RUNNING",
    fault: { code: "invalid_state", agent: "feat-dev-issue-42", state: "running", operation: "revive" },
    wayOut: "flotilla agents show",
  },
  {
    at: "COMPLETE",
    theirs: "AGENT_NO_AVAILABLE_TASK",
    fault: { code: "dead_agent", agent: "feat-dev-issue-42", state: "stopped", operation: "send" },
    wayOut: "flotilla agents revive",
  },
];

/** The document's errors: their codes here, and the situations that lead to them. */
export function errors(): void {
  describe("the error codes", () => {
    it.each(ERRORS)("$theirs at $at has a code, a text and a way out", ({ fault, wayOut }) => {
      const error = new OperationError(fault);
      expect(error.code).toBe(fault.code);
      expect(error.message).not.toBe("");
      expect(error.hint).toContain(wayOut);
      expect(error.retryable).toBe(false);
    });

    it("are seven, each with another of ours", () => {
      const codes = new Set<OperationCode>(ERRORS.map(({ fault }) => fault.code));
      expect(codes.size).toBe(7);
    });

    it("TASK_NOT_FOUND: no coder starts where there is no task", () => {
      const event = agentEvent("START", { around: surroundings({ task: null, run: "idle" }) });
      const result = step(agentMachine, anAgent({ state: "CREATED" }), event);
      expect(result).toMatchObject({ ok: false, rule: "task", reason: "its task is missing" });
    });

    it("AGENT_ALREADY_RUNNING: a second label starts no second agent", async () => {
      const rig = await aRig({ script: [on(1, ...work)] });
      await tell(rig, labeled(rig, 1), labeled(rig, 1));
      expect(await rig.store.records.find("agent", { issue: 1 })).toHaveLength(1);
    });

    it("AGENT_EXECUTION_ERROR: a tool that fails is told, and the work goes on", async () => {
      const rig = await aRig({
        script: [on(1, call("read_issue", { number: 99 }), edit(), commit, openPr, complete)],
      });
      await tell(rig, labeled(rig, 1));
      expect(answersTo(rig)[0]).toContain("99");
      expect(await stateOf(rig)).toBe("COMPLETED");
    });

    it("AGENT_NOT_RUNNING: what does not stand still is not resumed, and it is said why", async () => {
      for (const state of ["idle", "executing", "succeeded"])
        expect(refused(runWalker, runWalker.reach(state), "RESUME")).toMatchObject([
          { code: "no_such_transition" },
        ]);
      const rig = await aRig({ script: [on(1, ...work)] });
      await tell(rig, labeled(rig, 1));
      await tell(rig, said(rig, 1, "/flotilla resume"));
      expect(await stateOf(rig)).toBe("COMPLETED");
      expect(await decisionsOn(rig)).not.toEqual([]);
    });

    it("AGENT_NO_AVAILABLE_TASK: what was cancelled is not completed any more", async () => {
      expect(refused(agentWalker, agentWalker.reach("CANCELLED"), "COMPLETE")).toHaveLength(3);
      const rig = await aRig({ script: [on(1, edit(), { say: "…" })] });
      await tell(rig, labeled(rig, 1));
      await tell(rig, said(rig, 1, "/flotilla cancel"));
      await tell(rig, said(rig, 1, "/flotilla complete"));
      expect(await agentOf(rig)).toMatchObject({ state: "CANCELLED" });
      const subject = { agent: "feat-dev-issue-1", runtime: "copilot", mode: "continuous" } as const;
      expect(guardOperation("stopped", "send", subject)).toMatchObject({ code: "dead_agent" });
    });
  });
}
