import { agentKey } from "../core/agent-key.ts";
import type { EffectWithAgent } from "../core/ports/lists.ts";

/** A thing to be done outside, or done, as the API shows it; what it writes is told where it was written. */
export function effectJson({ effect: row, agent }: EffectWithAgent, repository: string) {
  return {
    id: row.id,
    kind: row.kind,
    repository,
    issue: row.issue,
    agent: agent === null ? null : agentKey(repository, agent),
    state: row.state,
    attempts: row.attempts,
    /** Whether an earlier try may have been carried out. */
    uncertain: row.uncertain,
    error: row.error,
    created_at: new Date(row.createdAt).toISOString(),
    not_before: row.notBefore === 0 ? null : new Date(row.notBefore).toISOString(),
    settled_at: row.settledAt === null ? null : new Date(row.settledAt).toISOString(),
  };
}

export type EffectJson = ReturnType<typeof effectJson>;
