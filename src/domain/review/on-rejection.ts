import { type AgentRecord, isLive } from "../agents/agent-record.ts";
import { tasksFor } from "../agents/start-role.ts";
import {
  type ChangeSet,
  decisionOnly,
  type IssueState,
  type Move,
  mergeChanges,
  NO_CHANGES,
} from "../kernel/change-set.ts";
import type { Effect } from "../kernel/effect.ts";
import { inARow } from "../messages/format.ts";
import { deadlockReason, escalatedComment } from "../status/comments.ts";
import { DEADLOCK, OUT_OF_DEADLOCK, TROUBLES } from "../tasks/escalation.ts";
import { reopenWork } from "../tasks/reopen-work.ts";
import { isOfWork, isOpenTask } from "../tasks/task-record.ts";
import { roundsLeft } from "../tasks/task-rules-claiming.ts";

/** A review as its coder reads it. */
export interface CoderReview {
  readonly at: number;
  readonly by: string;
  readonly pull: number | null;
  /** Identifies the review: it wakes an agent once, whichever event reports it. */
  readonly source: string;
  /** What the coder reads, which is also the reason of a rejection. */
  readonly detail: string;
  /** The coder of the work. */
  readonly owner: AgentRecord;
}

/** Returns the comment for people where the coder had completed, and cannot ask them itself. */
function deadlockComment(owner: AgentRecord, { settings, task }: IssueState, reason: string): Effect {
  const body = escalatedComment({
    role: owner.role,
    trouble: TROUBLES[DEADLOCK],
    reason,
    question: null,
    breaker: null,
    tried: [],
    links: [],
    ...settings.escalation,
    deadlock: { rounds: settings.review.maxCycles, pull: owner.prNumber, ended: true },
  });
  return { kind: "post_comment", name: `${owner.name}-deadlock-${task?.version}`, body };
}

const named = (pull: number | null) => (pull === null ? "the work" : `#${pull}`);

/** Who rejects: an agent under its review lease, or a person by the commit that they reviewed. */
type RejectedBy =
  | { readonly leaseToken: number }
  | { readonly commit: string | null; readonly account: number };

/**
 * Rejects the work under review, for a person only if they reviewed its commit or one that its approval was carried over
 * from; a person also rejects what others approved.
 */
export function rejects(
  { at, by, detail, source }: Pick<CoderReview, "at" | "by" | "detail" | "source">,
  { task, settings }: Pick<IssueState, "task" | "settings">,
  rejectedBy: RejectedBy,
): readonly Move[] {
  if (task === null) return [];
  const isPersons = "commit" in rejectedBy;
  if (isPersons && !isOfWork(task, rejectedBy.commit)) return [];
  if (task.state !== "READY_FOR_REVIEW" && !(isPersons && task.state === "APPROVED")) return [];
  const leaseToken = isPersons ? null : rejectedBy.leaseToken;
  const account = isPersons ? rejectedBy.account : null;
  const { maxCycles } = settings.review;
  return [
    {
      machine: "task",
      id: task.id,
      event: {
        at,
        actor: by,
        type: "REJECT",
        reason: detail,
        source: reviewOf(source),
        maxCycles,
        leaseToken,
        account,
      },
    },
  ];
}

/** A review that GitHub's list shows has a source of its own there; see `reviewed` of the domain events. */
const reviewOf = (source: string) => source.replace(/^rejection:/, "review:");

const isDeadlocked = ({ task }: Pick<IssueState, "task">) =>
  task?.state === "BLOCKED" && task.blockedReason === DEADLOCK;

/** Records a review after the last round, which changes nothing: a person decides how work continues. */
const waitsOn = ({ id: agentId }: Pick<AgentRecord, "id">, what: string) =>
  decisionOnly("review_deadlock", `${what}: its work was rejected too often`, {
    agentId,
    change: OUT_OF_DEADLOCK,
    shown: true,
  });

/**
 * Wakes a live coder, without counting the wake, or reopens one that has ended; after the last round nobody, since the
 * task's own move asks a person. Webhook and backfill may report the same review: the second rejects nothing.
 */
export function afterRejection(review: CoderReview, view: IssueState, rejected: readonly Move[]): ChangeSet {
  const { at, by, pull, source, detail, owner } = review;
  const { maxCycles } = view.settings.review;
  if (rejected.length > 0 && view.task !== null && roundsLeft(view.task, maxCycles) <= 1) {
    const rounds = 1 + view.task.reviewCyclesCurrent;
    const noted = decisionOnly("review_deadlock", `${named(pull)} was rejected ${inARow(rounds)}`, {
      agentId: owner.id,
      change: OUT_OF_DEADLOCK,
      shown: true,
    });
    // A live coder is escalated by its task's own move.
    const told = isLive(owner) ? [] : [deadlockComment(owner, view, deadlockReason(rounds, detail))];
    return mergeChanges({ ...NO_CHANGES, moves: rejected, effects: told }, noted);
  }
  if (rejected.length === 0 && view.task?.rejectionSource === reviewOf(source))
    return decisionOnly("nothing_to_do", `this review of ${named(pull)} was counted before`, {
      agentId: owner.id,
    });
  if (isLive(owner)) {
    const wake = { agentId: owner.id, reason: "review", detail, grant: null, dueAt: at } as const;
    const follows = { ...NO_CHANGES, moves: rejected, wakes: [{ ...wake, key: `${source}:${owner.id}` }] };
    return isDeadlocked(view)
      ? mergeChanges(
          follows,
          waitsOn(owner, `${owner.name} reads the review of ${named(pull)} when it continues`),
        )
      : follows;
  }
  if (isDeadlocked(view)) return waitsOn(owner, `the review of ${named(pull)} starts no coder`);
  if (owner.state !== "COMPLETED")
    return mergeChanges(
      { ...NO_CHANGES, moves: rejected },
      decisionOnly("nothing_to_do", `${owner.name} is ${owner.state}, the review says changes requested`, {
        agentId: owner.id,
      }),
    );
  if (view.task !== null && !isOpenTask(view.task))
    return decisionOnly(
      "nothing_to_do",
      `the work is ${view.task.state}: the review of ${named(pull)} starts no coder`,
      {
        agentId: owner.id,
        change: `say \`/flotilla start\` on #${view.issue} (reopen it first if it is closed)`,
        shown: true,
      },
    );
  const role = view.settings.roles.get(owner.role);
  if (role === undefined)
    return mergeChanges(
      { ...NO_CHANGES, moves: rejected },
      decisionOnly("no_role", `there is no role ${owner.role} any more`, { agentId: owner.id }),
    );
  const base = { at, actor: by };
  return {
    ...NO_CHANGES,
    moves: [
      ...rejected,
      ...tasksFor(role, view, {
        ...base,
        base: view.newestTask?.base ?? null,
        issue: { title: `Issue #${view.issue}`, labels: [] },
      }),
      reopenWork(view, owner, { ...base, role, why: detail }),
    ],
  };
}
