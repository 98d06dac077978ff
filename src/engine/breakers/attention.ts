import { mergesWork } from "../../domain/access/level-of.ts";
import { type AwaitingPull, attentionLimit } from "../../domain/breakers/attention.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { TaskState } from "../../domain/tasks/task-record.ts";
import type { EngineContext, Guarded } from "../kernel/engine-context.ts";
import { readable } from "../kernel/readable.ts";

/** States in which work may wait for a person; what an agent reviews or the merge queue merges is left out. */
const AWAITING: readonly TaskState[] = ["READY_FOR_REVIEW", "APPROVED", "BLOCKED"];

/**
 * Returns why a coder does not start because too many pull requests wait for people; null for a coder that
 * continues open work.
 */
export async function attentionFor(
  { settings }: Pick<EngineContext, "settings">,
  tables: Tables,
  { agent, event }: Guarded,
): Promise<string | null> {
  if (event.type !== "START" || !agent.coder || agent.prNumber !== null) return null;
  const limit = settings.attention.openPrs;
  const pulls = await awaitingPulls(settings, tables);
  return attentionLimit(pulls, { repositoryId: agent.repositoryId, limit });
}

/** Counts our open pull requests that wait for people, in all repositories. */
export async function awaitingPulls(
  settings: Pick<Settings, "merge" | "level" | "levels">,
  tables: Pick<Tables, "records" | "repositories" | "seenPulls">,
): Promise<readonly AwaitingPull[]> {
  const { records, repositories, seenPulls } = tables;
  const tasks = await records.find("task", { state: AWAITING });
  if (tasks.length === 0) return [];
  const held = await records.find("review_lease", { taskId: tasks.map(({ id }) => id), state: "HELD" });
  const inHand = new Set(held.map(({ taskId }) => taskId));
  const open = tasks.filter(({ id }) => !inHand.has(id));
  const found = await readable({ records }, "agent", {
    id: open.flatMap(({ assigneeId }) => assigneeId ?? []),
  });
  const owners = new Map(found.map((agent) => [agent.id, agent]));
  const ids = [...new Set(open.map(({ repositoryId }) => repositoryId))];
  const rows = await seenPulls.ofRepositories(ids);
  const seen = new Map(rows.map((row) => [`${row.repositoryId}#${row.pull}`, row]));
  const names = new Map(await Promise.all(ids.map(async (id) => [id, await repositories.get(id)] as const)));
  return open.flatMap((task) => {
    const { assigneeId, repositoryId, issue, state } = task;
    const owner = assigneeId === null ? undefined : owners.get(assigneeId);
    const repository = names.get(repositoryId);
    if (owner === undefined || owner.prNumber === null || repository === undefined) return [];
    if (state === "APPROVED" && mergesWork(settings, fullName(repository), task)) return [];
    const { prNumber: pull } = owner;
    const known = seen.get(`${repositoryId}#${pull}`);
    return [
      {
        repositoryId,
        repository: fullName(repository),
        pull,
        issue,
        openedAt: known?.openedAt ?? owner.createdAt,
        changedLines: known?.changedLines ?? null,
        asked: known?.asked ?? [],
      },
    ];
  });
}
