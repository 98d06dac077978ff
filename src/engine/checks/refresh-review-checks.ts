import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { allowanceOf } from "../../domain/breakers/allowance.ts";
import { limitsFor } from "../../domain/breakers/limits.ts";
import { mendsConflict, onConflict, type ReviewConflict } from "../../domain/checks/conflict.ts";
import { mergeChanges, NO_CHANGES } from "../../domain/kernel/change-set.ts";
import { StaleSnapshot } from "../../domain/kernel/errors.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { isQueued, TRAIN_STATES } from "../../domain/merge-queue/queue.ts";
import { onReviewChecks } from "../../domain/review/on-review-checks.ts";
import { isOpenTask, type TaskRecord, type TaskState } from "../../domain/tasks/task-record.ts";
import { readIssueState } from "../events/issue-state.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { Executor } from "../outbox/execution.ts";
import { type RedCheck, refreshCommit } from "./refresh-commit.ts";
import { isScheduledRefresh } from "./scheduled-refresh.ts";
import { underReviewSince } from "./under-review-since.ts";

/** Work whose required checks people and the merge train go by. */
export const UNDER_REVIEW: readonly TaskState[] = ["READY_FOR_REVIEW", "APPROVED"];

/**
 * Looks what the required checks of a task's review commit came to, and what follows from it. While its coder is at work
 * again nothing does, but what passes without a change is remembered as a flake.
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
  const { verdict, red } = await refreshCommit(context, repository, {
    commit,
    since: await underReviewSince(store, task),
  });
  if (!UNDER_REVIEW.includes(task.state)) return { result: { verdict } };
  const given = { task, owner, view: await readIssueState(context, repository, task.issue) };
  const { reaction, attempted } = onReviewChecks(
    {
      verdict,
      red,
      commit,
      attempts: await store.checks.attempts(task.id),
      maxIterations: wakesOf(context, owner),
      base: repository.defaultBranch,
      at: clock.now(),
    },
    given,
  );
  // A webhook tells of checks many times a minute, and nothing of the base: git is asked at the regular looks.
  const conflict =
    reaction.moves.length === 0 && isScheduledRefresh(row.key)
      ? await reviewConflict(context, repository, given)
      : null;
  const mayFail = verdict.kind === "own_failure" || (conflict?.files.length ?? 0) > 0;
  return {
    result: { verdict },
    reaction: mergeChanges(
      reaction,
      conflict === null ? NO_CHANGES : onConflict(conflict, given),
      // Where Flotilla merges, its train is looked at as often anyway.
      task.state === "APPROVED" && mayFail && !context.settingsOf(repository.id).merge.auto
        ? { ...NO_CHANGES, effects: [{ kind: "look_at_train" }] }
        : NO_CHANGES,
    ),
    also: async (tables) => {
      const now = await tables.records.get("task", task.id);
      // What was judged is not what is under review any more.
      if (now?.state !== task.state || now.reviewCommit !== commit) throw new StaleSnapshot("task", task.id);
      await tables.checks.excuse(excused(verdict, red));
      await tables.checks.attempt(attempted);
    },
  };
};

/** Runs that fail as the base branch does. */
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

/** How the task's commit stands to the base branch and to other work on the same files; asks the server once. */
async function reviewConflict(
  { store, worktrees, clock }: EngineContext,
  repository: RepositoryRow,
  { task, owner }: { readonly task: TaskRecord; readonly owner: AgentRecord },
): Promise<ReviewConflict | null> {
  const { reviewCommit: commit } = task;
  if (commit === null || owner.branch === null) return null;
  const tasks = await store.records.find("task", { repositoryId: repository.id, state: TRAIN_STATES });
  // Approved work goes first whatever its age; of the rest the older one.
  const before = tasks.filter(
    (one) =>
      one.id !== task.id &&
      (isQueued(one) || (one.id < task.id && (one.state === "READY_FOR_REVIEW" || mendsConflict(one)))),
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
  const base = repository.defaultBranch;
  const [mine, ...standings] = await worktrees.standings(repository, base, [
    { branch: owner.branch, approved: commit },
    ...known,
  ]);
  if (mine === undefined || mine.head !== commit) return null;
  const files = new Set(mine.files);
  const behind = known.find((_, index) => standings[index]?.files.some((file) => files.has(file)));
  return {
    base,
    pull: owner.prNumber,
    commit,
    files: mine.conflicts,
    behind: behind?.issue ?? null,
    at: clock.now(),
  };
}
