import { halfOf, mustBeGranted, raiseLimits } from "../commands/extension.ts";
import { GRACEFUL_PAUSE_MS } from "../kernel/backoff.ts";
import { no } from "../kernel/state-machine.ts";
import { times } from "../messages/format.ts";
import { escalateEffects, statusComment } from "./agent-effects.ts";
import type { AgentEmission } from "./agent-emission.ts";
import type { GuardContext } from "./agent-event.ts";
import { type AgentRecord, COUNTED_WAKES, type Holder, type WakeReason } from "./agent-record.ts";
import { type AgentRule, awake, checkAdmission, holdOn, rule, unpaused } from "./agent-rule.ts";
import { takesTask } from "./agent-task.ts";
import { notItsWake } from "./own-wake.ts";
import { restSession } from "./rest-session.ts";

const ANSWERS = { granted: "APPROVE", denied: "DENY", none: "CONTINUE" } as const;

/** Returns the run's event for a wake, by the phase in which the run was left; none where that phase simply continues. */
function runWakes(
  around: GuardContext,
  event: { at: number; actor: string },
  reason: WakeReason | null,
): readonly AgentEmission[] {
  const run = (
    type:
      | "INPUT_RECEIVED"
      | "AGENT_COMPLETE"
      | "CONTINUE"
      | "APPROVE"
      | "DENY"
      | "RETRY"
      | "RESUME"
      | "RESET"
      | "START"
      | "NEXT_STEP",
  ) => ({
    machine: "run" as const,
    event: { type, at: event.at, actor: event.actor },
  });
  switch (around.run) {
    case "waiting_input":
      return [run("INPUT_RECEIVED")];
    case "waiting_agent":
      return [run("AGENT_COMPLETE")];
    case "waiting_approval":
      return [run(ANSWERS[around.verdict ?? "none"])];
    case "error":
      return [run("RETRY")];
    case "paused":
      return [run("RESUME")];
    case "evaluating":
      return reason === "message" ? [run("NEXT_STEP")] : [];
    case "failed":
      return [run("RESET"), run("START")];
    case "idle":
      return [run("START")];
    default:
      return [];
  }
}

const lifted = (agent: AgentRecord, event: { readonly holders: readonly Holder[] }) =>
  agent.heldBy.some((holder) => event.holders.includes(holder));

const spent = (agent: AgentRecord, maxIterations: number) => agent.wakes >= maxIterations + agent.extraWakes;

const wokenTooOften = (agent: AgentRecord) =>
  `it was woken ${times(agent.wakes)} without coming to an end (max_iterations)`;

/** Lead from SLEEPING back to ACTIVE, or record what holds the agent asleep. */
export const wakingRules: readonly AgentRule[] = [
  rule("WAKE", {
    from: ["SLEEPING"],
    to: "ACTIVE",
    guard: (agent, event) => {
      const other = notItsWake(agent, event.reason);
      if (other !== null) return no("own_wake", other, true);
      if (agent.coder && event.around.task === "BLOCKED")
        return no("task", "its task needs replanning", true);
      const entry = checkAdmission(agent, event.around);
      if (entry !== true) return entry;
      return !(COUNTED_WAKES.includes(event.reason) && spent(agent, event.around.limits.maxIterations));
    },
    change: (agent, event) => ({
      ...awake(agent, event),
      breaker: null,
      reason: null,
      ...(COUNTED_WAKES.includes(event.reason) ? { wakes: agent.wakes + 1 } : {}),
      ...(event.grant === null ? {} : raiseLimits(agent, event.grant)),
    }),
    effects: () => [{ kind: "open_session" }, statusComment],
    emits: (after, event) => [
      ...takesTask(after, event),
      ...runWakes(event.around, event, event.reason),
      { machine: "session", event: { type: "START", at: event.at, actor: event.actor } },
    ],
  }),
  rule("WAKE", {
    from: ["SLEEPING"],
    to: "ESCALATED",
    guard: (agent, event) => {
      const hold = holdOn(agent, event.around);
      if (hold !== null) return hold;
      return COUNTED_WAKES.includes(event.reason) && spent(agent, event.around.limits.maxIterations);
    },
    change: (agent, event) => ({
      sleepReason: null,
      sleepingSince: event.at,
      reminders: 0,
      dueAt: null,
      reason: wokenTooOften(agent),
      category: "limit",
      breaker: "max_iterations",
    }),
    effects: (after, event) =>
      escalateEffects(after, event.around, { reason: wokenTooOften(after), question: null }),
    emits: (after, event) => [
      ...unpaused(event),
      {
        machine: "run",
        event: {
          type: "MAX_ITERATIONS",
          at: event.at,
          actor: event.actor,
          error: "max_iterations",
          code: "max_iterations",
        },
      },
      restSession(after, event),
    ],
  }),
  rule("RESUME", {
    from: ["ESCALATED"],
    to: "ACTIVE",
    guard: (agent, event) => {
      // The holder is removed first; its removal alone does not answer what the agent asked.
      if (lifted(agent, event)) return false;
      const entry = checkAdmission(agent, event.around);
      if (entry !== true) return entry;
      if (mustBeGranted(agent) && event.grant === null)
        return no(
          "extensions",
          "the limit was raised twice already; say how much more with `/flotilla budget +N`",
        );
      return true;
    },
    change: (agent, event) => ({
      ...awake(agent, event),
      reason: null,
      category: null,
      breaker: null,
      restarts: 0,
      ...raiseLimits(agent, event.grant ?? halfOf(agent.breaker, event.around.limits)),
      extensions: agent.extensions + (agent.breaker !== null && event.grant === null ? 1 : 0),
    }),
    effects: (_, event) => [
      { kind: "remove_label", label: event.around.escalation.label },
      { kind: "open_session" },
      statusComment,
    ],
    emits: (after, event) => [
      ...takesTask(after, event),
      ...runWakes(event.around, event, null),
      { machine: "session", event: { type: "START", at: event.at, actor: event.actor } },
    ],
  }),
  rule("RESUME", {
    from: ["CREATED", "SLEEPING", "ESCALATED"],
    to: "unchanged",
    guard: (agent, event) => lifted(agent, event) || no("not_held", "none of its holds is released by this"),
    change: (agent, event) => ({ heldBy: agent.heldBy.filter((holder) => !event.holders.includes(holder)) }),
    effects: () => [statusComment],
    emits: (after, event) => [
      ...(after.heldBy.length === 0 && event.around.run === "paused" && after.sleepReason !== "paused"
        ? [{ machine: "run" as const, event: { type: "RESUME" as const, at: event.at, actor: event.actor } }]
        : []),
      restSession(after, event),
    ],
  }),
  rule("HANDOFF", {
    from: ["ACTIVE"],
    to: "unchanged",
    change: (agent, event) => ({ sessionId: event.sessionId, sessionCount: agent.sessionCount + 1 }),
    effects: (_, { at }) => [{ kind: "open_session", notBefore: at + GRACEFUL_PAUSE_MS }],
    emits: (_, { at, actor }) => [
      { machine: "session", of: "before", event: { type: "STOP", at, actor, reason: "handoff" } },
      { machine: "session", event: { type: "START", at, actor } },
    ],
  }),
];
