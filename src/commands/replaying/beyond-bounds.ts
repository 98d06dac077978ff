import { levelIn } from "../../core/level-of.ts";
import { limitsFor } from "../../core/limits.ts";
import type { Tables } from "../../core/ports/store.ts";
import { type Both, levelMet, limitsMet } from "../../core/replay/bounds.ts";
import type { Difference } from "../../core/replay/differences.ts";
import { fullName } from "../../core/repository.ts";
import type { RepositoryRow } from "../../core/rows.ts";
import type { Settings } from "../../core/settings.ts";

/**
 * What agents of the issue did that the other configuration's limits or level would have stopped, and the present one's
 * do not. By what they used and did in the end; how they would have gone on is not on record.
 */
export async function beyondBounds(
  { records, effects }: Pick<Tables, "records" | "effects">,
  settings: Both<Settings>,
  { repository, issue }: { readonly repository: RepositoryRow; readonly issue: number },
): Promise<readonly Difference[]> {
  const { present, other } = settings;
  const repositoryId = repository.id;
  const agents = await records.find("agent", { repositoryId, issue });
  const limits = agents.flatMap((agent) => {
    const [was, is] = [present.roles.get(agent.role), other.roles.get(agent.role)];
    if (was === undefined || is === undefined) return [];
    return limitsMet(agent, { present: limitsFor(present, was), other: limitsFor(other, is) });
  });
  const lane = [`issue:${repositoryId}#${issue}`, ...agents.map(({ id }) => `agent:${id}`)];
  const ofIssue = await effects.find({ lane, state: "done" });
  const merges = await effects.find({ kind: ["merge_pull", "update_branch"], state: "done" });
  const done = [
    ...ofIssue,
    ...merges.filter((effect) => effect.repositoryId === repositoryId && effect.issue === issue),
  ].map(({ kind }) => kind);
  const name = fullName(repository);
  const level = { present: levelIn(present, name), other: levelIn(other, name) };
  return [...limits, ...levelMet(done, level)];
}
