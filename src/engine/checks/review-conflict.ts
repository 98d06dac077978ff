import { mendsConflict, type ReviewConflict } from "../../core/checks/conflict.ts";
import type { AgentRecord } from "../../core/machines/agent-record.ts";
import type { TaskRecord } from "../../core/machines/task.ts";
import type { RepositoryRow } from "../../core/rows.ts";
import { isAboard, TRAIN_STATES } from "../../core/train/queue.ts";
import type { EngineContext } from "../context.ts";

/** How the task's commit stands to the base branch and to other work on the same files; asks the server once. */
export async function reviewConflict(
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
      (isAboard(one) || (one.id < task.id && (one.state === "READY_FOR_REVIEW" || mendsConflict(one)))),
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
