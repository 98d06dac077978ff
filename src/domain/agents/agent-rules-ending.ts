import type { Effect } from "../kernel/effect.ts";
import { type GuardRefusal, no } from "../kernel/state-machine.ts";
import { cancelledComment, completedComment, failedComment } from "../status/comments.ts";
import { DEADLOCK, REPLANNING } from "../tasks/escalation.ts";
import { attemptAgain } from "../tasks/next-of-work.ts";
import { beginsAgain } from "../tasks/second-attempt.ts";
import { staysRejected } from "../tasks/stays-rejected.ts";
import { comment, endEffects, keepSession, removal, statusComment } from "./agent-effects.ts";
import type { AgentEmission } from "./agent-emission.ts";
import type { GuardContext, ResolvedAgentEventOf } from "./agent-event.ts";
import { type AgentRecord, isOnPull } from "./agent-record.ts";
import { freesReview } from "./agent-review.ts";
import { type AgentRule, endPeriod, rule } from "./agent-rule.ts";
import { failsTask, givesUpTask, newestCommit, releasesTask, requestsReview } from "./agent-task.ts";

const ended = (agent: AgentRecord, at: number, reason: string): Partial<AgentRecord> => ({
  ...endPeriod(agent, at),
  sleepReason: null,
  sleepingSince: null,
  dueAt: null,
  blockedBy: [],
  blockedElsewhere: [],
  heldBy: [],
  reason,
  endedAt: at,
});

/** Ends the conversation, if there is one; its record keeps the reason. */
const closes = (
  event: { at: number; actor: string },
  reason: string,
  type: "STOP" | "FAIL" = "STOP",
): AgentEmission => ({
  machine: "session",
  event: { type, at: event.at, actor: event.actor, reason },
});

const RUN_OVER = ["succeeded", "failed", "cancelled", "idle"];

const unlabelled = (before: AgentRecord, event: { around: GuardContext }): readonly Effect[] =>
  before.state === "ESCALATED" ? [{ kind: "remove_label", label: event.around.escalation.label }] : [];

/** Puts a coder's pushed commit up for review; without one the task is free again. A merge does neither. */
function handsOver(after: AgentRecord, event: ResolvedAgentEventOf<"COMPLETE">): readonly AgentEmission[] {
  if (event.cause === "merged" || event.around.task !== "CLAIMED") return [];
  return newestCommit(after, event.around.work) === null
    ? releasesTask(after, event)
    : requestsReview(after, event);
}

/**
 * Refuses a person's COMPLETE while the task is BLOCKED: it would stay BLOCKED, and nobody could let its coder
 * continue.
 */
function staysBlocked({ category }: AgentRecord, { around }: { around: GuardContext }): GuardRefusal | null {
  if (around.task !== "BLOCKED" || (category !== DEADLOCK && category !== REPLANNING)) return null;
  return category === DEADLOCK
    ? no(DEADLOCK, "reviews rejected its work: a merge takes it as it is, and nothing else does")
    : no(REPLANNING, "its task needs replanning, so there is no work to take as it is");
}

/** Allows every merge, which is a fact; for a person's COMPLETE, checks everything that speaks against the work. */
const mayEnd = (agent: AgentRecord, event: ResolvedAgentEventOf<"COMPLETE">) =>
  (event.cause === "person" ? (staysBlocked(agent, event) ?? staysRejected(agent, event)) : null) ?? true;

/** Rules to the four final states. */
export const endingRules: readonly AgentRule[] = [
  rule("COMPLETE", {
    from: ["ACTIVE", "SLEEPING"],
    to: "COMPLETED",
    guard: (agent, event) => {
      if (agent.state === "ACTIVE" || event.cause !== "evidence" || agent.sleepReason === "checks")
        return mayEnd(agent, event);
      return no("asleep", "evidence completes it only while it waits for checks");
    },
    change: (agent, event) => ended(agent, event.at, event.summary),
    effects: (after, event, before) => [
      ...endEffects(before),
      // The end of work on code is announced on the issue: where it made a pull request, the status comment has its words, and
      // the pull request names who asked. The result of an outputs role is visible where it was made.
      ...(after.coder && (after.prNumber === null || isOnPull(after))
        ? [
            comment(
              after,
              "completed",
              completedComment({ role: after.role, summary: event.summary, prNumber: after.prNumber }),
            ),
          ]
        : []),
      statusComment,
    ],
    emits: (after, event, before) => [
      ...passed(event),
      closes(event, "completed"),
      ...handsOver(after, event),
      ...freesReview(before, event, "its reviewer is done"),
    ],
  }),
  rule("COMPLETE", {
    from: ["CREATED", "ESCALATED"],
    to: "COMPLETED",
    guard: (agent, event) => {
      if (event.cause === "evidence") return no("evidence", "only a merge or a person completes it here");
      return mayEnd(agent, event);
    },
    change: (agent, event) => ended(agent, event.at, event.summary),
    effects: (_, event, before) => [...endEffects(before), ...unlabelled(before, event), statusComment],
    emits: (after, event) => [
      ...observedDone(event),
      closes(event, "completed"),
      ...handsOver(after, event),
      ...freesReview(after, event, "its reviewer is done"),
    ],
  }),
  rule("FAIL", {
    from: ["ACTIVE"],
    to: "FAILED",
    change: (agent, event) => ({ ...ended(agent, event.at, event.reason), breaker: event.breaker }),
    effects: (after, event, before) => [
      keepSession,
      ...removal(before),
      comment(
        after,
        "failed",
        failedComment({
          role: after.role,
          reason: event.reason,
          breaker: event.breaker,
          notify: event.around.escalation.notify,
          again: beginsAgain(before, event),
          retry: attemptAgain(after, event.around.task),
        }),
      ),
      ...(beginsAgain(before, event) ? [{ kind: "offer_attempt" as const }] : []),
      statusComment,
    ],
    emits: (_, event, before) => [
      {
        machine: "run",
        event: {
          type: "ERROR",
          at: event.at,
          actor: event.actor,
          recoverable: false,
          error: event.reason,
          code: event.code,
        },
      },
      closes(event, event.breaker === null ? "crashed" : `limit:${event.breaker}`, "FAIL"),
      ...failsTask(before, event),
      ...freesReview(before, event, "its reviewer failed"),
    ],
  }),
  rule("CANCEL", {
    from: ["CREATED", "ACTIVE", "SLEEPING", "ESCALATED"],
    to: "CANCELLED",
    change: (agent, event) => ended(agent, event.at, event.why),
    effects: (after, event, before) => [
      ...endEffects(before, event.gone === true),
      ...(event.quiet
        ? []
        : [
            comment(
              after,
              "cancelled",
              cancelledComment({
                role: after.role,
                actor: event.actor,
                why: event.why,
                branch: after.branch,
                retry: event.session === "ttl_expired" ? attemptAgain(after, event.around.task) : null,
              }),
            ),
          ]),
      ...(event.gone ? [] : [...unlabelled(before, event), statusComment]),
    ],
    emits: (_, event, before) => [
      ...(event.around.run !== null && !RUN_OVER.includes(event.around.run)
        ? [{ machine: "run" as const, event: { type: "CANCEL" as const, at: event.at, actor: event.actor } }]
        : []),
      closes(event, event.session ?? "cancelled"),
      ...(event.givesUp === true ? givesUpTask(before, event) : releasesTask(before, event)),
      ...freesReview(before, event, "its reviewer was cancelled"),
    ],
  }),
];

function passed(event: ResolvedAgentEventOf<"COMPLETE">): AgentEmission[] {
  if (event.cause !== "evidence") return observedDone(event);
  const { at, actor, confidence = null } = event;
  return [{ machine: "run", event: { type: "EVALUATION_PASS", at, actor, confidence } }];
}

/**
 * Tells the run of a person's COMPLETE in the phases that ask a person to decide; in other phases the run only records
 * it.
 */
function observedDone(event: ResolvedAgentEventOf<"COMPLETE">): AgentEmission[] {
  const { at, actor, around, cause } = event;
  if (around.run === null || RUN_OVER.includes(around.run)) return [];
  const decided = around.run === "waiting_approval" && cause === "person";
  return [{ machine: "run", event: { type: decided ? "COMPLETE" : "OBSERVED_DONE", at, actor } }];
}
