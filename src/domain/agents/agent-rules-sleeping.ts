import { type ErrorCode, limitCode } from "../kernel/error-code.ts";
import { no } from "../kernel/state-machine.ts";
import { limitComment } from "../status/comments.ts";
import { acceptWorkText } from "../tasks/accept-work-text.ts";
import { rejectersOf } from "../tasks/stays-rejected.ts";
import {
  comment,
  escalateEffects,
  foreignCommitEffects,
  keepSession,
  statusComment,
} from "./agent-effects.ts";
import type { AgentEmission } from "./agent-emission.ts";
import type { ResolvedAgentEventOf } from "./agent-event.ts";
import type { AgentRecord } from "./agent-record.ts";
import { type AgentRule, asleep, endPeriod, holdOn, rule, unpaused } from "./agent-rule.ts";
import { blockedRules } from "./agent-rules-blocked.ts";
import { blocksTask, isAtWorkOn, requestsReview } from "./agent-task.ts";
import { restSession } from "./rest-session.ts";

/** Returns the run's event for a wait, by its reason: a restart keeps the phase, checks stay in evaluating. */
function runWaits(event: ResolvedAgentEventOf<"WAIT">): readonly AgentEmission[] {
  const base = { at: event.at, actor: event.actor };
  switch (event.reason) {
    case "review":
    case "question":
      return [{ machine: "run", event: { ...base, type: "INPUT_NEEDED", waitingFor: event.detail } }];
    case "approval":
      return event.breaker === "max_turns"
        ? [{ machine: "run", event: { ...base, type: "STEP", atLimit: true } }]
        : [{ machine: "run", event: { ...base, type: "APPROVAL_NEEDED", waitingFor: event.detail } }];
    case "retry":
    case "provider_limit":
      return [
        {
          machine: "run",
          event: {
            ...base,
            type: "ERROR",
            recoverable: true,
            error: event.detail,
            code: event.code ?? "internal_error",
          },
        },
      ];
    default:
      return [];
  }
}

/** Ends the conversation's process after a crash, a lost lease or the host's end; after anything else it rests. */
function sessionWaits(after: AgentRecord, event: ResolvedAgentEventOf<"WAIT">): AgentEmission {
  const { at, actor } = event;
  if (event.crash || event.leaseLost)
    return {
      machine: "session",
      event: { type: "FAIL", at, actor, reason: event.crash ? "crashed" : "lease_lost" },
    };
  if (event.reason === "restart")
    return { machine: "session", event: { type: "STOP", at, actor, reason: "restart" } };
  return restSession(after, event);
}

const heldToo = (agent: AgentRecord, { holder }: ResolvedAgentEventOf<"PAUSE">) =>
  holder === null ? agent.heldBy : [...new Set([...agent.heldBy, holder])];

const expired = (waited: string) => `it slept past its deadline, waiting for ${waited}`;

/** Rules from ACTIVE to sleep: for another issue, for people, for time, by a person's command. */
export const sleepingRules: readonly AgentRule[] = [
  ...blockedRules,
  rule("WAIT", {
    from: ["ACTIVE"],
    to: "SLEEPING",
    change: (agent, event) => ({
      ...asleep(agent, event.at, event.reason, event.dueAt),
      ...(event.idleSince === undefined ? {} : { activeMs: endPeriod(agent, event.idleSince).activeMs }),
      breaker: event.breaker,
      ...(event.crash ? { restarts: agent.restarts + 1 } : {}),
    }),
    effects: (after, event) => [
      keepSession,
      // The checks may have ended while the agent fell asleep.
      ...(event.reason === "checks" ? [{ kind: "look_at_checks" as const, agentId: after.id }] : []),
      ...(event.breaker === null
        ? []
        : [
            comment(
              after,
              "limit",
              limitComment({
                role: after.role,
                breaker: event.breaker,
                detail: event.detail,
                next: `\`/flotilla continue [turns]\` lets it continue, ${acceptWorkText(after.prNumber, rejectersOf(after, event.around).length > 0)}, \`/flotilla cancel\` ends it.`,
              }),
            ),
          ]),
      statusComment,
    ],
    emits: (after, event) => [
      ...runWaits(event),
      ...(event.reason === "review" ? requestsReview(after, event) : []),
      sessionWaits(after, event),
    ],
  }),
  rule("PAUSE", {
    from: ["ACTIVE"],
    to: "SLEEPING",
    change: (agent, event) => ({
      ...asleep(agent, event.at, "paused"),
      heldBy: heldToo(agent, event),
      reason: event.why,
    }),
    effects: (after, event, before) => [
      keepSession,
      ...foreignCommitEffects(after, event, before),
      statusComment,
    ],
    emits: (after, event) => [
      { machine: "run", event: { type: "PAUSE", at: event.at, actor: event.actor } },
      restSession(after, event),
    ],
  }),
  rule("PAUSE", {
    from: ["CREATED", "SLEEPING"],
    to: "unchanged",
    change: (agent, event) => ({ heldBy: heldToo(agent, event), reason: event.why }),
    effects: (after, event, before) => [...foreignCommitEffects(after, event, before), statusComment],
    emits: (after, event) => [
      ...(event.around.run?.startsWith("waiting_")
        ? [{ machine: "run" as const, event: { type: "PAUSE" as const, at: event.at, actor: event.actor } }]
        : []),
      restSession(after, event),
    ],
  }),
  rule("ESCALATE", {
    from: ["ACTIVE", "SLEEPING"],
    to: "ESCALATED",
    guard: (agent, event) =>
      event.replanning === undefined ||
      isAtWorkOn(agent, { state: event.around.task, assigneeId: event.around.work.assigneeId }) ||
      no("not_in_work", `its task is ${event.around.task ?? "missing"} and not in work`),
    change: (agent, event) => ({
      ...endPeriod(agent, event.at),
      sleepReason: null,
      sleepingSince: event.at,
      reminders: 0,
      dueAt: null,
      reason: event.reason,
      category: event.category,
      breaker: event.breaker,
    }),
    effects: (after, event, before) => [
      ...(before.state === "ACTIVE" ? [keepSession] : []),
      ...escalateEffects(after, event.around, event),
    ],
    emits: (after, event) => [
      restSession(after, event),
      ...runEscalates(event),
      ...(event.replanning === undefined ? [] : [blocksTask({ ...event, reason: event.replanning.reason })]),
    ],
  }),
  rule("EXPIRE", {
    from: ["SLEEPING"],
    to: "ESCALATED",
    guard: (agent, event) => {
      const hold = holdOn(agent, event.around);
      if (hold !== null) return { ...hold, reason: `${hold.reason}: reminders only`, keeps: false };
      return agent.sleepReason !== "review" || no("review", "a review has no deadline: reminders only");
    },
    change: (agent, event) => ({
      sleepReason: null,
      sleepingSince: event.at,
      reminders: 0,
      dueAt: null,
      reason: expired(event.waited),
      category: "expired",
      // The deadline of a question is not a limit that can be raised.
      breaker: agent.sleepReason === "question" ? null : "max_sleep_duration",
    }),
    effects: (after, event) =>
      escalateEffects(after, event.around, {
        reason: expired(event.waited),
        question: event.question ?? null,
      }),
    emits: (after, event, before) => [
      ...unpaused(event),
      {
        machine: "run",
        event: {
          type: "TIMEOUT",
          at: event.at,
          actor: event.actor,
          error: expired(event.waited),
          sleptMs: event.at - (before.sleepingSince ?? event.at),
          code: after.breaker === null ? "question_deadline" : "max_sleep_duration",
        },
      },
      restSession(after, event),
    ],
  }),
];

/**
 * Lets the run wait for the answer to a question where its phase can. After a limit, or in a phase that cannot wait, it
 * fails.
 */
function runEscalates(event: ResolvedAgentEventOf<"ESCALATE">): readonly AgentEmission[] {
  const base = { at: event.at, actor: event.actor };
  const canWait = event.around.run === "executing" || event.around.run === "evaluating";
  if (event.breaker === null && canWait)
    return [{ machine: "run", event: { ...base, type: "INPUT_NEEDED", waitingFor: "person" } }];
  if (
    event.around.run === null ||
    ["failed", "succeeded", "cancelled", "idle", "waiting_input"].includes(event.around.run)
  )
    return [];
  return [
    ...unpaused(event),
    {
      machine: "run",
      event: {
        ...base,
        type: "STEP_FAILED",
        error: event.reason,
        code: escalationCode(event),
      },
    },
  ];
}

function escalationCode({ breaker, category }: ResolvedAgentEventOf<"ESCALATE">): ErrorCode {
  if (breaker !== null) return limitCode(breaker);
  return category === "provider" ? "key_refused" : "person_needed";
}
