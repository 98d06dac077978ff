import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { allowanceOf } from "../../domain/breakers/allowance.ts";
import { limitsFor } from "../../domain/breakers/limits.ts";
import { onConflict, type ReviewConflict, resolvesConflict } from "../../domain/checks/conflict.ts";
import { mergeChanges, NO_CHANGES } from "../../domain/kernel/change-set.ts";
import { StaleSnapshot } from "../../domain/kernel/errors.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { isQueued, QUEUE_STATES } from "../../domain/merge-queue/queue.ts";
import { onReviewChecks } from "../../domain/review/on-review-checks.ts";
import { baseBranch } from "../../domain/tasks/base-branch.ts";
import { isOpenTask, type TaskRecord, type TaskState } from "../../domain/tasks/task-record.ts";
import { readIssueState } from "../events/issue-state.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { Executor } from "../outbox/execution.ts";
import { type RedCheck, refreshCommit } from "./refresh-commit.ts";
import { isScheduledRefresh } from "./scheduled-refresh.ts";
import { underReviewSince } from "./under-review-since.ts";

/** States whose required checks matter to people and to the merge queue. */
export const UNDER_REVIEW: readonly TaskState[] = ["READY_FOR_REVIEW", "APPROVED"];

/**
 * Reads the required checks of a task's review commit and decides what follows. While the coder works again
 * nothing follows, but a check that passes without a change is recorded as flaky.
 */
export const refreshReviewChecks: Executor<"look_at_review_checks"> = async ({
  context,
  repository,
  effect,
  row,
}) => {
  const { store, clock } = context;
  const task = await store.records.get("task", effect.task);
  const commit = task?.reviewCommit ?? null;
  const owner = task?.assigneeId == null ? undefined : await store.records.get("agent", task.assigneeId);
  if (task === undefined || commit === null || owner === undefined || !isOpenTask(task))
    return { result: null };
  const base = baseBranch(task, repository);
  const { verdict, red } = await refreshCommit(context, repository, {
    commit,
    base,
    since: await underReviewSince(store, task),
  });
  if (!UNDER_REVIEW.includes(task.state)) return { result: { verdict } };
  const given = { task, owner, view: await readIssueState(context, repository, task.issue) };
  const { changes, attempted } = onReviewChecks(
    {
      verdict,
      red,
      commit,
      attempts: await store.checks.attempts(task.id),
      maxIterations: wakesOf(context, owner),
      base,
      at: clock.now(),
    },
    given,
  );
  // Webhooks report checks many times a minute and never the base branch, so git is read only at the
  // scheduled refreshes.
  const conflict =
    changes.moves.length === 0 && isScheduledRefresh(row.key)
      ? await reviewConflict(context, repository, given)
      : null;
  const mayFail = verdict.kind === "own_failure" || (conflict?.files.length ?? 0) > 0;
  return {
    result: { verdict },
    changes: mergeChanges(
      changes,
      conflict === null ? NO_CHANGES : onConflict(conflict, given),
      // Where Flotilla merges, the merge queue is refreshed as often anyway.
      task.state === "APPROVED" && mayFail && !context.settingsOf(repository.id).merge.auto
        ? { ...NO_CHANGES, effects: [{ kind: "look_at_train" }] }
        : NO_CHANGES,
    ),
    also: async (tables) => {
      const now = await tables.records.get("task", task.id);
      // The judged commit is no longer the one under review.
      if (now?.state !== task.state || now.reviewCommit !== commit) throw new StaleSnapshot("task", task.id);
      await tables.checks.excuse(excused(verdict, red));
      await tables.checks.attempt(attempted);
    },
  };
};

/** Returns the failed runs that fail on the base branch too. */
export function excused(
  verdict: Awaited<ReturnType<typeof refreshCommit>>["verdict"],
  red: readonly RedCheck[],
): readonly RedCheck[] {
  return verdict.kind === "base_red" ? red.filter(({ name }) => verdict.checks.includes(name)) : [];
}

function wakesOf(context: EngineContext, owner: AgentRecord): number {
  const settings = context.settingsOf(owner.repositoryId);
  const role = context.roleOf(owner);
  return allowanceOf(role === undefined ? settings.limits.defaults : limitsFor(settings, role), owner).wakes;
}

/**
 * Compares the task's commit with the base branch and with other work on the same files, in one request to
 * the server.
 */
async function reviewConflict(
  { store, worktrees, clock }: EngineContext,
  repository: RepositoryRow,
  { task, owner }: { readonly task: TaskRecord; readonly owner: AgentRecord },
): Promise<ReviewConflict | null> {
  const { reviewCommit: commit } = task;
  if (commit === null || owner.branch === null) return null;
  const tasks = await store.records.find("task", { repositoryId: repository.id, state: QUEUE_STATES });
  // Approved work goes first whatever its age; among the rest, the older goes first.
  const before = tasks.filter(
    (one) =>
      one.id !== task.id &&
      one.base === task.base &&
      (isQueued(one) || (one.id < task.id && (one.state === "READY_FOR_REVIEW" || resolvesConflict(one)))),
  );
  const others = await Promise.all(
    before.map(async ({ issue, assigneeId, reviewCommit }) => {
      const coder = assigneeId === null ? undefined : await store.records.get("agent", assigneeId);
      return { issue, branch: coder?.branch ?? null, approved: reviewCommit };
    }),
  );
  const known = others.flatMap(({ issue, branch, approved }) =>
    branch === null || approved === null ? [] : [{ issue, branch, approved }],
  );
  const base = baseBranch(task, repository);
  const [mine, ...comparisons] = await worktrees.compareBranches(repository, base, [
    { branch: owner.branch, approved: commit },
    ...known,
  ]);
  if (mine === undefined || mine.head !== commit) return null;
  const files = new Set(mine.files);
  const behind = known.find((_, index) => comparisons[index]?.files.some((file) => files.has(file)));
  return {
    base,
    pull: owner.prNumber,
    commit,
    files: mine.conflicts,
    behind: behind?.issue ?? null,
    at: clock.now(),
  };
}
