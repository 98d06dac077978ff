import { describe, expect, it } from "vitest";
import { agentMachine, newAgentRecord } from "../../../src/domain/agents/agent.ts";
import type { AgentRecord } from "../../../src/domain/agents/agent-record.ts";
import { step } from "../../../src/domain/kernel/state-machine.ts";
import { agentEvent } from "../../domain/machines/agent-events.ts";
import { surroundings } from "../../factories/surroundings.ts";
import { agentWalker, reviewerWalker } from "../agent-walker.ts";
import type { Row } from "../disagreements.ts";
import { follow, type Pattern, refused, type Walker, type Way } from "../walker.ts";

/** Its states of an agent, and ours that stand for each. */
export const AGENT_STATES = {
  STARTING: { ours: ["CREATED"], roles: ["coder", "reviewer"] },
  IDLE: { ours: ["CREATED", "COMPLETED", "FAILED", "CANCELLED"], roles: ["coder", "reviewer"] },
  WORKING: { ours: ["ACTIVE"], roles: ["coder"] },
  REVIEWING: { ours: ["ACTIVE"], roles: ["reviewer"] },
  WAITING: { ours: ["SLEEPING", "ESCALATED"], roles: ["coder"] },
  HANDOFF: { ours: ["ACTIVE"], roles: ["coder", "reviewer"] },
} as const;
type Theirs = keyof typeof AGENT_STATES;

interface AgentMove {
  readonly from: Theirs;
  readonly to: Theirs;
  readonly what: string;
  readonly who: "coder" | "reviewer";
  /** From the beginning to the state it is about, and on. */
  readonly before: readonly Pattern[];
  readonly by: Pattern;
  readonly ends: string;
}

const review = { type: "WAIT", reason: "review" };
const evidence = { type: "COMPLETE", cause: "evidence" };
const merged = { type: "COMPLETE", cause: "merged" };
const woken = { type: "WAKE", reason: "review" };
const working = ["CREATE", "START"];
const move = (
  who: AgentMove["who"],
  from: Theirs,
  to: Theirs,
  what: string,
  ...way: readonly [before: readonly Pattern[], by: Pattern, ends: string]
): AgentMove => ({ who, from, to, what, before: way[0], by: way[1], ends: way[2] });

const MOVES: readonly AgentMove[] = [
  move("coder", "STARTING", "IDLE", "registered", [], "CREATE", "CREATED"),
  move("coder", "IDLE", "WORKING", "a task is assigned", ["CREATE"], "START", "ACTIVE"),
  move("reviewer", "IDLE", "REVIEWING", "a review is assigned", ["CREATE"], "START", "ACTIVE"),
  move("coder", "WORKING", "WAITING", "submitted for review", working, review, "SLEEPING"),
  move("coder", "WORKING", "WAITING", "asked a person", working, "ESCALATE", "ESCALATED"),
  move("coder", "WORKING", "IDLE", "the task is done", working, evidence, "COMPLETED"),
  move("coder", "WORKING", "IDLE", "the lease of its task is lost", working, "FAIL", "FAILED"),
  move("coder", "WORKING", "HANDOFF", "the context is exhausted", working, "HANDOFF", "ACTIVE"),
  move("reviewer", "REVIEWING", "IDLE", "the verdict is given", working, evidence, "COMPLETED"),
  move("reviewer", "REVIEWING", "IDLE", "the review lease is lost", working, "CANCEL", "CANCELLED"),
  move("reviewer", "REVIEWING", "HANDOFF", "the context is exhausted", working, "HANDOFF", "ACTIVE"),
  move("coder", "WAITING", "WORKING", "rejected, continues", [...working, review], woken, "ACTIVE"),
  move("coder", "WAITING", "WORKING", "a person answered", [...working, "ESCALATE"], "RESUME", "ACTIVE"),
  move("coder", "WAITING", "IDLE", "approved and merged", [...working, review], merged, "COMPLETED"),
  move("coder", "HANDOFF", "WORKING", "restarted afresh", working, "HANDOFF", "ACTIVE"),
];

/** Its table of agent states; HANDOFF ends the process, and a fresh one continues. */
const TABLE: Readonly<Record<Theirs, readonly Theirs[]>> = {
  STARTING: ["IDLE"],
  IDLE: ["WORKING", "REVIEWING"],
  WORKING: ["WAITING", "IDLE", "HANDOFF"],
  REVIEWING: ["IDLE", "HANDOFF"],
  WAITING: ["WORKING", "IDLE"],
  HANDOFF: ["WORKING"],
};

/** Where the document and ours part. */
export const AGENT_ROWS: readonly Row[] = ["agent_without_task", "handoff_from", "reviewer_waits"];

const walkers: Readonly<Record<AgentMove["who"], Walker<AgentRecord>>> = {
  coder: agentWalker,
  reviewer: reviewerWalker,
};
const after = (who: AgentMove["who"], ...way: readonly Pattern[]): Way<AgentRecord> =>
  follow(walkers[who], walkers[who].reach("(new)"), ...way);

/** The document's agents: what a coder and a reviewer may be, and go to. */
export function agents(): void {
  describe("the agent's states", () => {
    it("stand for all of ours", () => {
      const named = new Set<string>(Object.values(AGENT_STATES).flatMap(({ ours }) => ours));
      expect([...named].toSorted()).toEqual(agentWalker.states.toSorted());
    });

    it("are those of its table", () => {
      expect(Object.keys(TABLE)).toEqual(Object.keys(AGENT_STATES));
      const moves = new Set(MOVES.map(({ from, to }) => `${from} ${to}`));
      const table = Object.entries(TABLE).flatMap(([from, ends]) => ends.map((to) => `${from} ${to}`));
      expect([...moves].toSorted()).toEqual(table.toSorted());
    });
  });

  describe("the agent's moves", () => {
    it.each(MOVES)("$who, $from to $to: $what", ({ who, from, to, before, by, ends }) => {
      const way = after(who, ...before);
      const begins: readonly string[] = AGENT_STATES[from].ours;
      const leads: readonly string[] = AGENT_STATES[to].ours;
      expect(way.snapshot === undefined ? "CREATED" : way.snapshot.state).toSatisfy((state: string) =>
        begins.includes(state),
      );
      expect(leads).toContain(ends);
      expect(AGENT_STATES[to].roles).toContain(who);
      expect(follow(walkers[who], way, by).snapshot?.state).toBe(ends);
    });

    it("never make a reviewer of a coder, or a coder of a reviewer", () => {
      for (const who of ["coder", "reviewer"] as const)
        for (const state of walkers[who].states)
          expect(walkers[who].reach(state).snapshot?.coder).toBe(who === "coder");
    });

    it("lead from HANDOFF to a fresh conversation of the same agent, whose slot and work are kept", () => {
      const before = after("coder", ...working).snapshot;
      const next = follow(agentWalker, after("coder", ...working), "HANDOFF").snapshot;
      expect(next).toMatchObject({ state: "ACTIVE", branch: before?.branch, turns: before?.turns });
      expect(next?.sessionCount).toBe((before?.sessionCount ?? 0) + 1);
    });

    it("are ruled where the diagram hands over from WAITING: a sleeper's context does not fill", () => {
      for (const state of ["SLEEPING", "ESCALATED", "CREATED", "COMPLETED"])
        expect(refused(agentWalker, agentWalker.reach(state), "HANDOFF")).toMatchObject([
          { code: "no_such_transition" },
        ]);
    });

    it("are ruled where only a coder waits: a reviewer sleeps too, and asks a person", () => {
      for (const by of [{ type: "WAIT", reason: "retry" }, { type: "WAIT", reason: "restart" }, "ESCALATE"])
        expect(AGENT_STATES.WAITING.ours).toContain(
          follow(reviewerWalker, after("reviewer", ...working), by).snapshot?.state,
        );
    });

    it("are ruled where an agent is idle before it has a task: one is made for its issue, and ends", () => {
      expect(after("coder", "CREATE").snapshot).toMatchObject({ state: "CREATED", issue: 42 });
      for (const state of agentWalker.terminal)
        for (const event of ["START", "WAKE", "RESUME", "CREATE"])
          expect(refused(agentWalker, agentWalker.reach(state), event)).not.toEqual([]);
    });
  });

  describe("the failure to register", () => {
    it("makes no record: an agent of the same name that lives is not joined by another", () => {
      const event = agentEvent("CREATE", { around: surroundings({ rival: "feat-dev-issue-42" }) });
      expect(step(agentMachine, undefined, event, newAgentRecord)).toMatchObject({
        ok: false,
        code: "guard_refused",
        rule: "rival",
        state: "(new)",
      });
    });
  });
}
