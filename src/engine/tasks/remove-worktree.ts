import { decisionOnly } from "../../domain/kernel/change-set.ts";
import { archivedWork, takeFiles } from "../../domain/tasks/archive-text.ts";
import { note } from "../kernel/advance-agent.ts";
import { baseOf } from "../kernel/base-of.ts";
import { appendRunEvents, subjectOf } from "../kernel/run-events.ts";
import { agentOf, type Executor } from "../outbox/execution.ts";
import { worktreeOf } from "./worktree-of.ts";

/**
 * Removes the worktree. What exists nowhere else is archived first, and people are notified. Sets the end of
 * the agent's retention, with or without an archive.
 */
export const removeWorktree: Executor<"remove_worktree"> = async (execution) => {
  const { context, effect, repository } = execution;
  const agent = agentOf(execution);
  const ref = await worktreeOf(context, agent);
  if (ref === null || agent.worktreePath === null) return { result: null };
  const base = await baseOf(context.store, repository, agent.issue);
  const { archive } = await context.worktrees.remove(ref, { base });
  const madeAt = context.clock.now();
  const expiresAt = madeAt + context.settings.retention.worktreesMs;
  const { path, sha256, bytes } = archive ?? { path: null, sha256: null, bytes: null };
  return {
    result: { archive: path },
    also: async (tables) => {
      await note(tables, agent.id, { worktreePath: null });
      await appendRunEvents(context, tables, subjectOf(agent), [
        { type: "agent:cleanup", data: { what: "worktree" } },
      ]);
      // A throw-away worktree holds no work.
      if (ref.branch === null) return;
      await tables.archives.put({
        agentId: agent.id,
        path,
        sha256,
        bytes,
        madeAt,
        expiresAt,
        removedAt: null,
      });
    },
    ...(path === null
      ? {}
      : {
          changes: decisionOnly("worktree_archived", archivedWork(agent.name, expiresAt, archive?.files), {
            agentId: agent.id,
            inputs: {
              path,
              sha256,
              bytes,
              ...(archive?.files === undefined ? {} : { files: archive.files }),
            },
            shown: !effect.quiet,
            ...(archive?.files === undefined ? {} : { change: takeFiles(archive.files) }),
          }),
        }),
  };
};
