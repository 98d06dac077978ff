import type { DecisionRule } from "../decisions/rules.ts";
import { type GuardRefusal, NEW, no } from "../kernel/state-machine.ts";
import { moment } from "../messages/format.ts";
import { statusComment } from "./agent-effects.ts";
import type { AgentEmission } from "./agent-emission.ts";
import type { Entry, GuardContext, NewAgent } from "./agent-event.ts";
import { type AgentRecord, type AgentState, isOnPull, lineOf } from "./agent-record.ts";
import { claimsReview, mayReview } from "./agent-review.ts";
import { type AgentRule, awake, checkAdmission, rule } from "./agent-rule.ts";
import { takesTask } from "./agent-task.ts";

const CLAIMABLE = ["UNCLAIMED", "REJECTED", "INTEGRATION_FAILED"];

const born = ({ newAgent, at, around }: { newAgent: NewAgent; at: number; around: GuardContext }) => ({
  ...newAgent,
  node: around.node,
  createdAt: at,
});

const starts = (event: { at: number; entry: Entry }): readonly AgentEmission[] => [
  { machine: "agent", event: { type: "START", at: event.at, actor: "flotilla", ...event.entry } },
];

/**
 * Allows at most one live agent of a role, and one live coder, on an issue; a later attempt needs one of `states`
 * before it.
 */
function alone(around: GuardContext): true | GuardRefusal {
  return around.rival === null || no("rival", `${around.rival} already works on this issue`);
}

function follows(
  event: { around: GuardContext; previous: AgentRecord },
  why: DecisionRule,
  states: readonly AgentState[],
): true | GuardRefusal {
  const { state, name } = event.previous;
  const free = alone(event.around);
  return free === true ? states.includes(state) || no(why, `${name} is ${state}`) : free;
}

/** The fields that the three ways to begin share. */
const beginning = {
  from: NEW,
  to: "CREATED",
  effects: () => [statusComment],
  emits: (_: AgentRecord, event: { at: number; entry: Entry }) => starts(event),
} as const;

/** Rules from no record to the first turn. */
export const beginningRules: readonly AgentRule[] = [
  rule("CREATE", {
    ...beginning,
    guard: (_, event) => {
      const free = alone(event.around);
      return free === true ? event.limit === null || no("storm", event.limit) : free;
    },
    change: (_, event) => born(event),
  }),
  rule("REVIVE", {
    ...beginning,
    guard: (_, event) => follows(event, "not_revivable", ["ESCALATED", "FAILED", "CANCELLED"]),
    change: (_, event) => ({ ...born(event), reason: event.previous.reason }),
  }),
  rule("REOPEN", {
    ...beginning,
    guard: (_, event) => follows(event, "not_reopenable", ["COMPLETED", "FAILED", "CANCELLED"]),
    change: (_, event) => ({
      ...born(event),
      reason: event.why,
      line: lineOf(event.previous),
    }),
  }),
  rule("START", {
    from: ["CREATED"],
    to: "ACTIVE",
    guard: (agent, event) => {
      // A person may start the agent before its due time.
      if (agent.dueAt !== null && event.at < agent.dueAt && event.actor === "flotilla")
        return no(
          "second_attempt",
          `the attempt before it failed; it starts automatically, not before ${moment(agent.dueAt)}`,
          true,
        );
      if (event.assignedTo !== null) return no("assigned", `the issue is assigned to @${event.assignedTo}`);
      if (event.openBlockers === null)
        return no("blockers_unread", "GitHub has not said yet what its issue is blocked by", true);
      if (event.openBlockers.length > 0)
        return no("open_blocker", `blocked by ${event.openBlockers.join(", ")}`, true);
      const { task } = event.around;
      if (agent.coder && !isOnPull(agent) && (task === null || !CLAIMABLE.includes(task)))
        return no("task", `its task is ${task ?? "missing"}`, task === "DRAFT");
      const may = mayReview(event.around);
      if (may !== true) return may;
      const { attention } = event.around;
      if (attention !== null) return no("attention", attention, true);
      return checkAdmission(agent, event.around);
    },
    change: (agent, event) => awake(agent, event),
    effects: () => [{ kind: "open_session" }, statusComment],
    emits: (after, event) => [
      ...takesTask(after, event),
      ...claimsReview(after, event),
      { machine: "run", event: { type: "START", at: event.at, actor: event.actor } },
      { machine: "session", event: { type: "START", at: event.at, actor: event.actor } },
    ],
  }),
];
