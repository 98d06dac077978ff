import { allowanceOf } from "../../core/allowance.ts";
import { onConflict } from "../../core/checks/conflict.ts";
import { StaleSnapshot } from "../../core/errors.ts";
import { limitsFor } from "../../core/limits.ts";
import type { AgentRecord } from "../../core/machines/agent-record.ts";
import { isOpenTask, type TaskState } from "../../core/machines/task.ts";
import { joined, NOTHING } from "../../core/reaction.ts";
import { onReviewChecks } from "../../core/reactions/on-review-checks.ts";
import { lookAtCommit, type RedCheck } from "../checks/look-at-commit.ts";
import { isRegularLook } from "../checks/regular-look.ts";
import { reviewConflict } from "../checks/review-conflict.ts";
import { underReviewSince } from "../checks/under-review-since.ts";
import type { EngineContext } from "../context.ts";
import { viewOfIssue } from "../handle.ts";
import type { Executor } from "./execution.ts";

/** Work whose required checks people and the merge train go by. */
export const UNDER_REVIEW: readonly TaskState[] = ["READY_FOR_REVIEW", "APPROVED"];

/**
 * Looks what the required checks of a task's review commit came to, and what follows from it. While its coder is at work
 * again nothing does, but what passes without a change is remembered as a flake.
 */
export const lookAtReviewChecks: Executor<"look_at_review_checks"> = async ({
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
  const { verdict, red } = await lookAtCommit(context, repository, {
    commit,
    since: await underReviewSince(store, task),
  });
  if (!UNDER_REVIEW.includes(task.state)) return { result: { verdict } };
  const given = { task, owner, view: await viewOfIssue(context, repository, task.issue) };
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
    reaction.moves.length === 0 && isRegularLook(row.key)
      ? await reviewConflict(context, repository, given)
      : null;
  const mayFail = verdict.kind === "own_failure" || (conflict?.files.length ?? 0) > 0;
  return {
    result: { verdict },
    reaction: joined(
      reaction,
      conflict === null ? NOTHING : onConflict(conflict, given),
      // Where Flotilla merges, its train is looked at as often anyway.
      task.state === "APPROVED" && mayFail && !context.settingsOf(repository.id).merge.auto
        ? { ...NOTHING, effects: [{ kind: "look_at_train" }] }
        : NOTHING,
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
  verdict: Awaited<ReturnType<typeof lookAtCommit>>["verdict"],
  red: readonly RedCheck[],
): readonly RedCheck[] {
  return verdict.kind === "base_red" ? red.filter(({ name }) => verdict.checks.includes(name)) : [];
}

function wakesOf(context: EngineContext, owner: AgentRecord): number {
  const settings = context.settingsOf(owner.repositoryId);
  const role = context.roleOf(owner);
  return allowanceOf(role === undefined ? settings.limits.defaults : limitsFor(settings, role), owner).wakes;
}
