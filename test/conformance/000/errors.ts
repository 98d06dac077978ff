import { describe, expect, it } from "vitest";
import { z } from "zod";
import { agentMachine } from "../../../src/domain/agents/agent.ts";
import type { OperationCode } from "../../../src/domain/commands/operation-fault.ts";
import { guardOperation } from "../../../src/domain/commands/operations.ts";
import type { ErrorCode } from "../../../src/domain/kernel/error-code.ts";
import { step } from "../../../src/domain/kernel/state-machine.ts";
import { act } from "../../../src/server/control/control-acts.ts";
import { agentEvent } from "../../domain/machines/agent-events.ts";
import { limitsOf } from "../../engine/limits-of.ts";
import { agentOf, answersTo, decisionsOn, stateOf, statusComments } from "../../engine/look.ts";
import { labeled, said, tell } from "../../engine/people.ts";
import { aRig, type Rig } from "../../engine/rig.ts";
import {
  blocked,
  call,
  commit,
  complete,
  edit,
  on,
  onAttempt,
  openPr,
  slowly,
  work,
} from "../../engine/scripts.ts";
import { dataOf } from "../../engine/told.ts";
import { MINUTE } from "../../factories/moment.ts";
import { anAgent } from "../../factories/records.ts";
import { surroundings } from "../../factories/surroundings.ts";
import { agentWalker } from "../agent-walker.ts";
import { runWalker } from "../run-walker.ts";
import { refused as noMove } from "../walker.ts";
import type { TheirEvent } from "./moves.ts";

/** An error as it is met. */
const met = z.looseObject({ code: z.string(), message: z.string(), hint: z.string() });
type Met = z.infer<typeof met>;
const errorAnswer = z.object({ error: met });

const KEY = "acme/shop:feat-dev-issue-1";

const sweep = async () => ({ asked: 0, later: 0 });
const onboard = () => Promise.reject(new Error("nobody asks this here"));

/** What the control socket answers an operator: the error as the command line shows it with --json. */
async function refused(rig: Rig, verb: string, agent = KEY): Promise<Met> {
  const { store, engine } = rig;
  const by = { id: verb, by: "operator:root" };
  const body = verb === "send" ? { agent, id: verb, text: "Hello?" } : { agent, ...by };
  const context = { store, operations: engine.operations, poke: () => {}, onboard, sweep };
  const asked = { path: `/agents/${verb}`, body, signal: new AbortController().signal };
  const answer = errorAnswer.parse((await act(context, asked)).body);
  return answer.error;
}

async function worked(...steps: Parameters<typeof on>[1][]): Promise<Rig> {
  const rig = await aRig({ script: [on(1, ...steps)], settings: limitsOf({ maxTurns: 2 }) });
  await tell(rig, labeled(rig, 1));
  return rig;
}

async function killed(): Promise<Rig> {
  const rig = await aRig({ script: [onAttempt(1, 2, slowly(MINUTE, edit())), on(1, blocked(2))] });
  await tell(rig, labeled(rig, 1));
  await rig.engine.operations.kill({ agent: KEY, id: "k", by: "operator:root", reason: null });
  return rig;
}

/** Its error codes: when each is met, ours, the path that leads to it here, and what its way out becomes. */
const ERRORS: readonly {
  readonly at: TheirEvent;
  readonly theirs: string;
  /** Of an operation that is refused, or of a run's error. */
  readonly ours: OperationCode | ErrorCode;
  readonly path: () => Promise<Met>;
  readonly wayOut: string;
}[] = [
  {
    at: "START",
    theirs: "TASK_NOT_FOUND",
    ours: "task_not_found",
    path: async () => refused(await worked(blocked(2)), "revive", "acme/shop:feat-dev-issue-3"),
    wayOut: "/flotilla start",
  },
  {
    at: "START",
    theirs: "AGENT_ALREADY_RUNNING",
    ours: "agent_already_running",
    path: async () => {
      const rig = await killed();
      await rig.engine.operations.revive({ agent: KEY, id: "r", by: "operator:root", reason: null });
      return refused(rig, "revive");
    },
    wayOut: "flotilla agents send",
  },
  {
    at: "STEP",
    theirs: "AGENT_TOOL_NOT_ALLOWED",
    ours: "tool_not_allowed",
    // Told to the model, not to an operator: the answer to its call.
    path: async () => {
      const rig = await worked(call("web_fetch", { url: "https://example.org" }), edit());
      const [message = ""] = answersTo(rig);
      return { code: message.split(":")[0] ?? "", message, hint: message };
    },
    wayOut: "has no tool web_fetch",
  },
  {
    at: "STEP",
    theirs: "AGENT_TURN_LIMIT_EXCEEDED",
    ours: "turn_limit_exceeded",
    path: async () => refused(await worked(edit(), edit("b.ts"), edit("c.ts")), "resume"),
    wayOut: "/flotilla continue",
  },
  {
    at: "STEP",
    theirs: "AGENT_EXECUTION_ERROR",
    ours: "model_unavailable",
    // Its way out, a retry with feedback, stands in the status comment.
    path: async () => {
      const rig = await worked(edit(), { error: { status: 503, message: "it broke" } });
      const [error] = await dataOf(rig, "agent:error");
      const { code, error: message } = z.looseObject({ code: z.string(), error: z.string() }).parse(error);
      return { code, message, hint: statusComments(rig).join() };
    },
    wayOut: "`retry`",
  },
  {
    at: "RESUME",
    theirs: "AGENT_NOT_RUNNING",
    ours: "invalid_state",
    path: async () => refused(await worked(blocked(2)), "resume"),
    wayOut: "flotilla agents show",
  },
  {
    at: "COMPLETE",
    theirs: "AGENT_NO_AVAILABLE_TASK",
    ours: "dead_agent",
    path: async () => refused(await killed(), "send"),
    wayOut: "flotilla agents revive",
  },
];

/** The document's errors: their codes here, and the situations that lead to them. */
export function errors(): void {
  describe("the error codes", () => {
    it.each(ERRORS)(
      "$theirs at $at is met as $ours, with a text and a way out",
      async ({ ours, path, wayOut }) => {
        const { code, message, hint } = await path();
        expect(code).toBe(ours);
        expect(message).not.toBe("");
        expect(hint).toContain(wayOut);
      },
    );

    it("are seven, each with another of ours", () => {
      expect(new Set(ERRORS.map(({ ours }) => ours)).size).toBe(7);
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

    it("AGENT_EXECUTION_ERROR: a tool that fails raises an error event, and the work continues", async () => {
      const rig = await aRig({
        script: [on(1, call("read_issue", { number: 99 }), edit(), commit, openPr, complete)],
      });
      await tell(rig, labeled(rig, 1));
      expect(answersTo(rig)[0]).toContain("99");
      expect(await dataOf(rig, "agent:error")).toMatchObject([
        { code: "tool_failed", recoverable: true, details: { tool: "read_issue" } },
      ]);
      expect(await stateOf(rig)).toBe("COMPLETED");
    });

    it("AGENT_NOT_RUNNING: what does not stand still is not resumed, and it is said why", async () => {
      for (const state of ["idle", "executing", "succeeded"])
        expect(noMove(runWalker, runWalker.reach(state), "RESUME")).toMatchObject([
          { code: "no_such_transition" },
        ]);
      const rig = await aRig({ script: [on(1, ...work)] });
      await tell(rig, labeled(rig, 1));
      await tell(rig, said(rig, 1, "/flotilla resume"));
      expect(await stateOf(rig)).toBe("COMPLETED");
      expect(await decisionsOn(rig)).not.toEqual([]);
    });

    it("AGENT_NO_AVAILABLE_TASK: what was cancelled is not completed any more", async () => {
      expect(noMove(agentWalker, agentWalker.reach("CANCELLED"), "COMPLETE")).toHaveLength(3);
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
