import { integrationFailed } from "../../domain/merge-queue/integration-failed.ts";
import { conflictReason } from "../../domain/merge-queue/next-step.ts";
import { baseBranch } from "../../domain/tasks/base-branch.ts";
import { readIssueState } from "../events/issue-state.ts";
import { note } from "../kernel/advance-agent.ts";
import type { Executor } from "../outbox/execution.ts";
import { signingOf } from "../tasks/signing-of.ts";
import { failuresOf } from "./failures-of.ts";
import { heldStep, refusedStep, skippedStep, stillDue } from "./step-of.ts";

/**
 * Updates approved work with the base branch, without a model. The approval carries over to the new commit,
 * because its changes are the same; a conflict goes back to the coder.
 */
export const updateBranch: Executor<"update_branch"> = async ({ context, repository, effect }) => {
  const { store, worktrees, clock, identity } = context;
  const task = await store.records.get("task", effect.task);
  const coder = task?.assigneeId ? await store.records.get("agent", task.assigneeId) : undefined;
  if (task?.state !== "APPROVED" || task.reviewCommit !== effect.head || !coder?.branch)
    return { result: { kind: "over" } };
  const base = baseBranch(task, repository);
  const now = await stillDue(context, repository, { kind: "update", task: task.id });
  if (now.outdated !== null) return now.outdated;
  const { botLogin, botId } = identity;
  const signing = await signingOf(context, repository, [base, coder.branch]);
  const updated = await worktrees.updateBranch(repository, {
    branch: coder.branch,
    base,
    expected: effect.head,
    author: { name: botLogin, email: `${botId}+${botLogin}@users.noreply.github.com` },
    mayPush: async () => (await heldStep(context, task)) === null,
    signing,
  });
  const at = clock.now();
  switch (updated.kind) {
    case "updated": {
      const { commit } = updated;
      const event = { type: "NEW_COMMIT", at, actor: "flotilla", commit, sameWork: effect.head } as const;
      return {
        result: updated,
        changes: { moves: [{ machine: "task", id: task.id, event }] },
        also: (tables) => note(tables, coder.id, { headCommit: commit }),
      };
    }
    case "conflict": {
      const { base: head, files } = updated;
      const reason = conflictReason(coder.prNumber, { base, commit: head, files });
      const view = await readIssueState(context, repository, task.issue);
      const earlier = await failuresOf(store, task);
      return {
        result: updated,
        changes: integrationFailed(view, task, { at, cause: "base_moved", reason, detail: "", earlier }),
      };
    }
    case "moved":
      return refusedStep(`the branch of #${coder.prNumber} changed while \`${base}\` was merged into it`);
    case "held":
      return skippedStep("held");
    case "current":
      return { result: updated };
  }
};
