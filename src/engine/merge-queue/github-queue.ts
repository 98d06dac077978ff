import { checksFailure } from "../../domain/checks/check-failure.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { type GitHubQueueFacts, lastExit } from "../../domain/merge-queue/github-queue.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { TaskEvent } from "../../domain/tasks/task-event.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";
import { issueEffect } from "../kernel/effect-rows.ts";
import type { CascadingMoves, EngineContext, StepContext } from "../kernel/engine-context.ts";

/** The result of a try that added the work to GitHub's own queue. */
export const ADDED = { kind: "queued" } as const;

/** Reads what GitHub's own queue says about a pull request whose commit is under review since then. */
export async function queueFacts(
  { github, identity }: Pick<EngineContext, "github" | "identity">,
  repository: RepositoryRow,
  { pull, since }: { readonly pull: number; readonly since: number },
): Promise<GitHubQueueFacts> {
  const queued = await github.queuedPull(repository, pull);
  const left = lastExit(queued, { since, botLogin: identity.botLogin });
  const checks = left === null || left.commit === null ? [] : await github.checks(repository, left.commit);
  const failed = checks.filter(({ state }) => state === "red");
  const seen = failed.map(({ name: check, conclusion, output }) => {
    return { check, conclusion, job: null, step: null, log: output ?? "" };
  });
  return { isIn: queued.isIn, left, failure: seen.length === 0 ? "" : checksFailure(seen, 1) };
}

/**
 * Takes work that Flotilla added to GitHub's queue out of it when it is no longer approved: otherwise GitHub would merge
 * it.
 */
export async function leavesQueue(
  { tables, request }: StepContext,
  {
    before,
    after,
  }: { readonly before: TaskRecord | undefined; readonly after: TaskRecord; readonly event: TaskEvent },
): Promise<readonly CascadingMoves[]> {
  if (before?.state !== "APPROVED" || after.state === "APPROVED" || after.state === "MERGED") return [];
  const added = await addedToQueue(tables, before);
  if (added === null) return [];
  const { repositoryId, issue } = after;
  const row = issueEffect({ repositoryId, issue, effect: { ...added, leave: true }, at: request.at });
  await tables.effects.add([{ ...row, key: `task-${after.id}:v${after.version}:leave-queue` }]);
  return [];
}

/** Returns the effect that added the task's present commit to GitHub's queue last; null for none. */
export async function addedToQueue({ effects }: Pick<Tables, "effects">, task: TaskRecord) {
  if (task.assigneeId === null) return null;
  const tries = await effects.find({ agentId: task.assigneeId, kind: ["merge_pull"], state: ["done"] });
  const last = tries.findLast(({ payload }) => payload.kind === "merge_pull");
  if (last?.payload.kind !== "merge_pull" || last.payload.leave === true) return null;
  return Object(last.result).kind === ADDED.kind && last.payload.head === task.reviewCommit
    ? last.payload
    : null;
}
