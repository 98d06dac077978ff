import { type Kysely, sql } from "kysely";
import type { AgentRecord } from "../../../domain/agents/agent-record.ts";
import { type Hold, holdsOf, scopeHold } from "../../../domain/breakers/hold.ts";
import { repositoryScope } from "../../../domain/breakers/scope.ts";
import { sprintHold } from "../../../domain/planning/sprint-hold.ts";
import { numbers } from "../sql/dialect.ts";
import type { Schema } from "../sql/schema.ts";
import { scopePauseTable } from "../tables/pauses.ts";

interface Checkpoint {
  readonly agentId: number;
  readonly title: string;
  readonly reason: string | null;
  /** The tracking issue of the agent's goal. */
  readonly trackedOn: number | null;
}

/**
 * Reads what holds each agent: its own holders, pauses of its scope, and the sprint of its issue's latest
 * task.
 */
export async function agentHolds(
  db: Kysely<Schema>,
  agents: readonly AgentRecord[],
): Promise<ReadonlyMap<number, readonly Hold[]>> {
  const ids = numbers(agents.map(({ id }) => id));
  const { rows } = await sql<Checkpoint>`SELECT agent.id AS agent_id, sprint.title, sprint.reason,
      goal.issue AS tracked_on
    FROM agent JOIN task ON task.id = (SELECT max(id) FROM task
      WHERE task.repository_id = agent.repository_id AND task.issue = agent.issue)
    JOIN sprint ON sprint.id = task.sprint_id LEFT JOIN goal ON goal.id = sprint.goal_id
    WHERE agent.id IN ${ids} AND sprint.state = 'CHECKPOINT'`.execute(db);
  const sprints = new Map(rows.map((row) => [row.agentId, sprintHold(row, row.trackedOn)]));
  const pauses = await scopePauseTable(db).list();
  return new Map(
    agents.map((agent) => {
      const scopes = ["all", repositoryScope(agent.repositoryId)];
      const sprint = sprints.get(agent.id);
      const around = [
        ...pauses.filter(({ scope }) => scopes.includes(scope)).map(scopeHold),
        ...(sprint === undefined ? [] : [sprint]),
      ];
      return [agent.id, holdsOf(agent, around)];
    }),
  );
}
