import { type Kysely, sql } from "kysely";
import type { AgentRecord } from "../../../domain/agents/agent-record.ts";
import type { WaitedMerge } from "../../../domain/status/waits-for.ts";
import { RELEASED } from "../../../domain/tasks/on-pull.ts";
import { dialect } from "../sql/dialect.ts";
import type { Schema } from "../sql/schema.ts";

interface Found {
  readonly agentId: number;
  readonly issue: string;
  readonly pull: string;
}

const WAIT = {
  place: "number",
  agent_id: "number",
  repository_id: "number",
  repository: "text",
  issue: "number",
} as const;

/** Reads, for each agent, the reported blockers that only the merge of a pull request keeps open. */
export async function waitedMerges(
  db: Kysely<Schema>,
  agents: readonly AgentRecord[],
): Promise<ReadonlyMap<number, readonly WaitedMerge[]>> {
  const waits = agents
    .filter(({ sleepReason }) => sleepReason === "blocked")
    .flatMap(({ id, repositoryId, blockedBy, blockedElsewhere }) => [
      ...blockedBy.map((number) => ({ id, repositoryId, repository: "", number })),
      ...blockedElsewhere.map((one) => ({ id, ...one })),
    ])
    .map(({ id, repositoryId, repository, number }, place) => ({
      place,
      agent_id: id,
      repository_id: repositoryId,
      repository,
      issue: number,
    }));
  if (waits.length === 0) return new Map();
  const { rows } = await sql<Found>`SELECT wait.agent_id,
      wait.repository || '#' || task.issue AS issue, wait.repository || '#' || done.pr_number AS pull
    FROM ${dialect.rows(WAIT, waits)} AS wait
    ${dialect.joinInOrder()} task ON task.id = (SELECT max(id) FROM task
      WHERE repository_id = wait.repository_id AND issue = wait.issue)
    ${dialect.joinInOrder()} agent AS done ON done.id = (SELECT id FROM agent
      WHERE repository_id = wait.repository_id AND issue = wait.issue
        AND ephemeral = 0 AND state = 'COMPLETED' ORDER BY ended_at DESC, id DESC LIMIT 1)
    WHERE task.state IN (${sql.join(RELEASED)}) AND done.pr_number IS NOT NULL
    ORDER BY wait.place`.execute(db);
  return Map.groupBy(rows, ({ agentId }) => agentId);
}
