import { agentKey } from "../core/agent-key.ts";
import type { Tables } from "../core/ports/store.ts";
import { fullName } from "../core/repository.ts";
import type { EffectRow } from "../core/rows.ts";

/** Things to be done outside, or done, as the API shows them; what they write is told where it was written. */
export async function effectsAsJson(
  { records, repositories }: Pick<Tables, "records" | "repositories">,
  rows: readonly EffectRow[],
) {
  const names = new Map((await repositories.all()).map((each) => [each.id, fullName(each)]));
  const ids = [...new Set(rows.flatMap(({ agentId }) => agentId ?? []))];
  const agents = new Map((await records.find("agent", { id: ids })).map(({ id, name }) => [id, name]));
  return rows.map((row) => {
    const repository = names.get(row.repositoryId) ?? String(row.repositoryId);
    const agent = agents.get(row.agentId ?? 0);
    return {
      id: row.id,
      kind: row.kind,
      repository,
      issue: row.issue,
      agent: agent === undefined ? null : agentKey(repository, agent),
      state: row.state,
      attempts: row.attempts,
      /** Whether an earlier try may have been carried out. */
      uncertain: row.uncertain,
      error: row.error,
      created_at: new Date(row.createdAt).toISOString(),
      not_before: row.notBefore === 0 ? null : new Date(row.notBefore).toISOString(),
      settled_at: row.settledAt === null ? null : new Date(row.settledAt).toISOString(),
    };
  });
}

export type EffectJson = Awaited<ReturnType<typeof effectsAsJson>>[number];
