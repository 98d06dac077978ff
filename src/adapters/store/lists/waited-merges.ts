import { type Kysely, sql } from "kysely";
import type { AgentRecord } from "../../../domain/agents/agent-record.ts";
import type { WaitedMerge } from "../../../domain/status/waits-for.ts";
import { RELEASED } from "../../../domain/tasks/on-pull.ts";
import type { Schema } from "../tables/schema.ts";

interface Found {
  readonly agentId: number;
  readonly issue: string;
  readonly pull: string;
}

/** Of each agent the blockers that it reported and that only the merge of a pull request keeps open. */
export async function waitedMerges(
  db: Kysely<Schema>,
  agents: readonly AgentRecord[],
): Promise<ReadonlyMap<number, readonly WaitedMerge[]>> {
  const waits = agents
    .filter(({ sleepReason }) => sleepReason === "blocked")
    .flatMap(({ id, repositoryId, blockedBy, blockedElsewhere }) => [
      ...blockedBy.map((number) => [id, repositoryId, "", number]),
      ...blockedElsewhere.map((one) => [id, one.repositoryId, one.repository, one.number]),
    ]);
  if (waits.length === 0) return new Map();
  const { rows } = await sql<Found>`SELECT wait.value ->> 0 AS agent_id,
      (wait.value ->> 2) || '#' || task.issue AS issue, (wait.value ->> 2) || '#' || done.pr_number AS pull
    FROM json_each(${JSON.stringify(waits)}) AS wait
    CROSS JOIN task ON task.id = (SELECT max(id) FROM task
      WHERE repository_id = wait.value ->> 1 AND issue = wait.value ->> 3)
    CROSS JOIN agent AS done ON done.id = (SELECT id FROM agent
      WHERE repository_id = wait.value ->> 1 AND issue = wait.value ->> 3
        AND ephemeral = 0 AND state = 'COMPLETED' ORDER BY ended_at DESC, id DESC LIMIT 1)
    WHERE task.state IN (${sql.join(RELEASED)}) AND done.pr_number IS NOT NULL
    ORDER BY wait.key`.execute(db);
  return Map.groupBy(rows, ({ agentId }) => agentId);
}
