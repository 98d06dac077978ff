import { levelIn } from "../../domain/access/level-of.ts";
import { limitsFor } from "../../domain/breakers/limits.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { type Both, levelMet, limitsMet } from "../../domain/replay/bounds.ts";
import type { Difference } from "../../domain/replay/differences.ts";
import type { Settings } from "../../domain/settings/settings.ts";

/**
 * Returns what agents of the issue did that the other configuration's limits or level would have stopped, and
 * the present one's do not. Compares final usage and completed effects; what the agents would have done
 * otherwise is not on record.
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
