import { describe, expect, it } from "vitest";
import { agentJson } from "../../../src/dashboard/api/json.ts";
import { agentRecord } from "../../../src/domain/agents/agent-record.ts";
import { sessionMachine } from "../../../src/domain/agents/session.ts";
import { OperationError, type OperationFault } from "../../../src/domain/commands/operation-fault.ts";
import {
  guardAgentOperation,
  guardMode,
  guardOperation,
  type Operation,
} from "../../../src/domain/commands/operations.ts";
import { agentOf, sessionsOf } from "../../engine/look.ts";
import { said } from "../../engine/people.ts";
import { NODE } from "../../engine/without-delimiters.ts";
import { agentStatusFacts } from "../../factories/agent-status-facts.ts";
import { aRepository } from "../../factories/an-occurrence.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { anAgent } from "../../factories/records.ts";
import { DISAGREEMENTS, type Row, rowsOf } from "../disagreements.ts";
import { misplaced } from "../places.ts";
import { sessionWalker } from "../session-walker.ts";
import { ALLOWED_IN, ERRORS } from "./operations.ts";
import { AT, KEY, REVIVED } from "./places.ts";
import { MODES, RECORD } from "./record.ts";
import { ADDED, NOTHING_ASKED, STATES_003, WITHOUT_STOP } from "./states.ts";

const subject = { agent: "feat-dev-issue-42", runtime: "copilot", mode: "continuous" } as const;
const OPERATIONS: readonly Operation[] = ["send", "interrupt", "kill", "revive"];
const asked = OPERATIONS.flatMap((operation) => STATES_003.map((state) => ({ operation, state })));
const isAllowed = ({ operation, state }: (typeof asked)[number]) => ALLOWED_IN[operation].includes(state);

/** A fault of each kind that the document names. */
const FAULTS: Readonly<Record<string, OperationFault>> = {
  not_found: { code: "not_found", what: "agent acme/shop:x" },
  not_interactive: { code: "not_interactive", agent: "x", state: "starting", operation: "send" },
  dead_agent: { code: "dead_agent", agent: "x", state: "stopped", operation: "kill" },
  transport_unavailable: { code: "transport_unavailable", detail: "the socket is gone" },
  wait_timeout: { code: "wait_timeout", target: ["idle"], last: "running" },
  capability_mismatch: { code: "capability_mismatch", runtime: "x", requested: "y", hint: "do z instead" },
};

const oneMove = (from: string, to: string) =>
  sessionWalker.pathThrough(sessionWalker.reach(from), [to], { bound: 1 });

const RULINGS: Partial<Record<Row, () => void | Promise<void>>> = {
  approval_from_rest: () => {
    for (const [from, to] of NOTHING_ASKED) expect(oneMove(from, to)).toBeNull();
    for (const from of ["running", "paused"]) expect(oneMove(from, "waiting_approval")).not.toBeNull();
  },
  diagram_without_stopped: () => {
    for (const [from, to] of WITHOUT_STOP) {
      expect(oneMove(from, to)).toBeNull();
      expect(oneMove(from, "failed")).not.toBeNull();
    }
    expect(oneMove("failed", "stopped")).not.toBeNull();
  },
  live_without_conversation: () => {
    for (const session of [null, "stopped", "failed"] as const)
      for (const operation of ["send", "kill"] as const) {
        const sleeper = anAgent({ state: session === null ? "CREATED" : "SLEEPING" });
        expect(guardAgentOperation(sleeper, session, operation)).toBeNull();
        const over = anAgent({ state: "CANCELLED" });
        expect(guardAgentOperation(over, session, operation)).toMatchObject({ code: "dead_agent" });
      }
  },
  pause_of_a_start: async () => {
    for (const [from, to] of ADDED) expect(oneMove(from, to)).not.toBeNull();
    const rig = await AT.starting();
    await rig.engine.operations.pause({ agent: KEY, id: "p", by: "operator:root", reason: null });
    expect((await sessionsOf(rig)).at(-1)?.state).toBe("paused");
  },
  revive_by_agent: async () => {
    for (const { session, revived, rig: make } of REVIVED) {
      expect(guardOperation(session, "revive", subject) === null).toBe(!revived);
      const rig = await make();
      expect((await sessionsOf(rig)).at(-1)?.state).toBe(session);
      expect(guardAgentOperation(await agentOf(rig), session, "revive") === null).toBe(revived);
    }
  },
  numeric_state_codes: () => {
    expect(sessionMachine.states.filter((state) => /\d/.test(state))).toEqual([]);
  },
};

/** What may be asked of a session and when, what is kept of it, and how errors are called. */
export function showOperations(): void {
  describe("the operations", () => {
    it.each(asked.filter(isAllowed))("$operation is taken in $state", ({ operation, state }) => {
      expect(guardOperation(state, operation, subject)).toBeNull();
    });

    it.each(asked.filter((one) => !isAllowed(one)))(
      "$operation is refused in $state",
      ({ operation, state }) => {
        expect(guardOperation(state, operation, subject)).toMatchObject({
          code: expect.stringMatching(/^(invalid_state|not_interactive|dead_agent)$/),
          agent: subject.agent,
          state,
          operation,
        });
      },
    );

    it.each(["stopped", "failed"] as const)(
      "nothing is sent to, interrupted or killed in %s: it is dead",
      (state) => {
        for (const operation of ["send", "interrupt", "kill"] as const)
          expect(guardOperation(state, operation, subject)).toMatchObject({ code: "dead_agent" });
      },
    );
  });

  describe("the record of an agent", () => {
    it("keeps each of its fields", () => {
      expect(misplaced(RECORD)).toEqual([]);
    });

    it("has a time to live, labels and tags that people set, and everything but its token is shown", async () => {
      const rig = await AT.running();
      await rig.engine.handle(said(rig, 1, "/flotilla set ttl=8h label=team=core tag=urgent"));
      const agent = await agentOf(rig);
      expect(agent).toMatchObject({ ttlMs: 8 * HOUR, labels: ["team=core"], tags: ["urgent"] });
      expect(
        agentJson(agent, aRepository(), { ...agentStatusFacts(), parent: "planner-issue-9" }),
      ).toMatchObject({
        parent: "acme/shop:planner-issue-9",
        mode: MODES.continuous,
        runtime: "copilot",
        node: NODE,
        ttl_seconds: 8 * 3600,
        labels: { team: "core" },
        tags: ["urgent"],
      });
    });

    it("with a time to live that is over ends as stopped, with the reason", async () => {
      const rig = await AT.running();
      await rig.engine.handle(said(rig, 1, "/flotilla set ttl=1m"));
      await rig.pass(MINUTE);
      expect(await agentOf(rig)).toMatchObject({
        state: "CANCELLED",
        reason: "its time to live of 1 min is over",
      });
      expect((await sessionsOf(rig)).at(-1)).toMatchObject({ state: "stopped", reason: "ttl_expired" });
    });

    it("is listed as a smaller view of the same", () => {
      const shown = agentJson(anAgent(), aRepository(), agentStatusFacts());
      expect(shown).toMatchObject({
        key: "acme/shop:feat-dev-issue-42",
        state: "ACTIVE",
        repository: "acme/shop",
      });
      expect(Object.keys(shown)).not.toContain("token");
    });
  });

  describe("the modes", () => {
    it("are its two, and nothing else can be stored", () => {
      expect(agentRecord.shape.mode.options).toEqual(Object.values(MODES));
    });

    it("continuous takes follow-ups, one-shot none, whatever its state", () => {
      const once = { ...subject, mode: MODES["one-shot"] };
      for (const state of STATES_003)
        expect(guardOperation(state, "send", once)).toMatchObject({ code: "capability_mismatch" });
      for (const state of ALLOWED_IN.send) expect(guardOperation(state, "send", subject)).toBeNull();
    });

    it("a runtime that cannot serve one says so and what to do", () => {
      const runtime = { name: "batch", modes: [MODES["one-shot"]] };
      expect(guardMode(runtime, MODES.continuous)).toMatchObject({
        code: "capability_mismatch",
        runtime: "batch",
        hint: expect.stringContaining("one_shot"),
      });
      expect(guardMode(runtime, MODES["one-shot"])).toBeNull();
    });
  });

  describe("the errors", () => {
    it.each(ERRORS)("$theirs is $ours, with a word on what to do next", ({ ours, retryable }) => {
      const fault = FAULTS[ours];
      if (fault === undefined) throw new Error(`no fault ${ours} is known`);
      const error = new OperationError(fault);
      expect(error).toMatchObject({ code: ours, retryable });
      expect(error.hint.length).toBeGreaterThan(5);
    });
  });

  describe("an agent that waits for approval", () => {
    it("shows it as its own state, in which it can be sent to, interrupted and waited for", async () => {
      const state = (await sessionsOf(await AT.waiting_approval())).at(-1)?.state ?? "unspecified";
      expect(state).toBe("waiting_approval");
      for (const operation of ["send", "interrupt"] as const)
        expect(guardOperation(state, operation, subject)).toBeNull();
    });
  });

  describe("where it disagrees", () => {
    it.each(rowsOf("003"))("%s: our ruling holds", async (row) => {
      expect(DISAGREEMENTS[row].ruling).not.toBe("");
      const ruling = RULINGS[row];
      if (ruling === undefined) throw new Error(`document 003 does not show ${row}`);
      await ruling();
    });

    it("names no other row", () => {
      expect(Object.keys(RULINGS).toSorted()).toEqual(rowsOf("003"));
    });
  });
}
