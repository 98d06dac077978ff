import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { startRole } from "../../domain/agents/start-role.ts";
import { mergeChanges, NO_CHANGES } from "../../domain/kernel/change-set.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { withoutBranch } from "../../domain/settings/repository-limits.ts";
import { backportComment, backportIssue, changeText } from "../../domain/tasks/backport.ts";
import { baseBranch } from "../../domain/tasks/base-branch.ts";
import { withBlockers } from "../blockers/blockers.ts";
import { readIssueState } from "../events/issue-state.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { Executor } from "../outbox/execution.ts";
import { withoutForbiddenStarts } from "../settings/repository-limits.ts";

/**
 * Opens the issue of a backport, or adopts the one that carries its name, and starts the coder there. What holds up
 * every start holds this one up too, and is told on the issue of the merged work.
 */
export const createBackport: Executor<"create_backport"> = async ({ context, repository, effect }) => {
  const { store, github, clock } = context;
  const { base, by } = effect;
  const task = await store.records.get("task", effect.task);
  const role = context.settingsOf(repository.id).roles.get(effect.role);
  if (task === undefined || task.mergeCommit === null || role === undefined) return { result: null };
  if (base !== repository.defaultBranch && !(await github.hasBranch(repository, base)))
    return { result: null, changes: withoutBranch(NO_CHANGES, base, fullName(repository)) };
  const coder = task.assigneeId === null ? undefined : await store.records.get("agent", task.assigneeId);
  const change = {
    onto: await mergedOnto(context, repository, task.mergeCommit, coder),
    commit: task.mergeCommit,
  };
  const name = `backport-${task.id}-${base}`;
  const issue = await github.createIssue(repository, {
    key: name,
    ...backportIssue({
      issue: task.issue,
      title: task.title,
      pull: coder?.prNumber ?? null,
      ...change,
      from: baseBranch(task, repository),
      to: base,
    }),
  });
  const { number } = issue;
  const view = await readIssueState(context, repository, number);
  if (view.newestTask !== null) return { result: { number } };
  const cause = { at: clock.now(), actor: by, issue, personPull: null, base, backport: changeText(change) };
  const permitted = await withoutForbiddenStarts(context, repository, startRole(role, view, cause));
  const started = await withBlockers(context, repository, number, permitted);
  const comment = { kind: "post_comment", name, body: backportComment(number, base) } as const;
  return { result: { number }, changes: mergeChanges(started, { ...NO_CHANGES, effects: [comment] }) };
};

/** Returns where the coder's pull request was put on; null where that is not known for sure. */
async function mergedOnto(
  { github, worktrees }: EngineContext,
  repository: RepositoryRow,
  merge: string,
  coder: AgentRecord | undefined,
): Promise<string | null> {
  if (coder?.prNumber == null) return null;
  const { number, headSha } = await github.pullRequest(repository, coder.prNumber);
  return worktrees.mergedOnto(repository, { merge, head: headSha, pull: number });
}
