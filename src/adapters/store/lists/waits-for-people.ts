import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Listed, ListTable, WaitsForPerson } from "../../../domain/ports/lists.ts";
import { dialect } from "../sql/dialect.ts";
import type { Schema } from "../sql/schema.ts";
import { ANSWERABLE } from "../tables/questions.ts";
import { recordCodecs } from "../tables/records.ts";
import { and, behindSince, type Found, listed, SINCE } from "./list-parts.ts";

function held(holder: string): RawBuilder<unknown> {
  return dialect.contains(sql`agent.held_by`, holder);
}

/** Must match the condition of the index `agent_waits` literally. */
const WAITS = sql<boolean>`agent.state IN ('CREATED', 'SLEEPING', 'ESCALATED') AND (agent.state = 'ESCALATED'
  OR agent.sleep_reason IN ('paused', 'question', 'approval', 'review', 'retry', 'provider_limit')
  OR ${held('"person"')} OR ${held('"commit"')} OR ${held('"invariant"')})`;

const HELD = sql<boolean>`(${held('"person"')} OR ${held('"commit"')} OR ${held('"invariant"')})`;

/** The state of the latest task of the agent's issue. */
const taskState = sql`(SELECT task.state FROM task WHERE task.repository_id = agent.repository_id
  AND task.issue = agent.issue ORDER BY task.id DESC LIMIT 1)`;

/** Whether its risk is above the limit: then a person merges it. */
const taskRisk = sql`(SELECT task.risk_above FROM task WHERE task.repository_id = agent.repository_id
  AND task.issue = agent.issue ORDER BY task.id DESC LIMIT 1)`;

/** Tests whether a reviewer works on the row's issue or is about to start. */
export const reviewed = (table: "agent" | "task") => sql<boolean>`EXISTS (SELECT 1 FROM agent AS reviewer
  WHERE reviewer.repository_id = ${sql.ref(`${table}.repository_id`)} AND reviewer.issue = ${sql.ref(`${table}.issue`)}
    AND reviewer.coder = 0 AND reviewer.state IN ('CREATED', 'ACTIVE'))`;

/** Excludes an agent that sleeps for a review, unless its work waits for a person and no agent reviews it. */
const AND_NOT_REVIEWED = sql`AND NOT (agent.state = 'SLEEPING' AND agent.sleep_reason = 'review' AND NOT ${HELD}
  AND NOT CASE coalesce(${taskState}, 'READY_FOR_REVIEW')
    WHEN 'READY_FOR_REVIEW' THEN NOT ${reviewed("agent")} WHEN 'APPROVED' THEN TRUE ELSE FALSE END)`;

/**
 * Selects work that waits for a person while its coder neither works on it nor waits for the person itself.
 */
const TASK_WAITS = sql`task.state IN ('READY_FOR_REVIEW', 'REJECTED', 'APPROVED', 'BLOCKED', 'INTEGRATION_FAILED')
  AND NOT (task.state = 'READY_FOR_REVIEW' AND ${reviewed("task")})
  AND NOT (task.state IN ('REJECTED', 'INTEGRATION_FAILED') AND EXISTS (SELECT 1 FROM agent WHERE agent.repository_id = task.repository_id
    AND agent.issue = task.issue AND agent.coder = 1 AND agent.state = 'SLEEPING'))
  AND NOT EXISTS (SELECT 1 FROM agent WHERE agent.repository_id = task.repository_id AND agent.issue = task.issue
    AND agent.coder = 1 AND (agent.state IN ('CREATED', 'ACTIVE') OR (${WAITS})))`;

/** Adds the time of the work's last transition, and the coder that held it last. */
const OF_TASK = sql`SELECT task.*, 1 AS kind, task.created_at AS since,
    (SELECT max(at) FROM transition WHERE transition.repository_id = task.repository_id
      AND transition.issue = task.issue AND machine = 'task') AS moved_at,
    (SELECT pr_number FROM agent WHERE agent.id = task.assignee_id) AS pull,
    (SELECT name FROM agent WHERE agent.id = task.assignee_id AND NOT EXISTS (SELECT 1 FROM agent AS own
      WHERE own.repository_id = task.repository_id AND own.issue = task.issue AND own.coder = 1
        AND own.state IN ('CREATED', 'ACTIVE', 'SLEEPING', 'ESCALATED'))) AS ended_coder`;

function waitingTask(row: Found) {
  const { pull, movedAt, createdAt, endedCoder } = row;
  return {
    task: recordCodecs.task.decode(row),
    pull: pull === null ? null : Number(pull),
    endedCoder: typeof endedCoder === "string" ? endedCoder : null,
    since: Number(movedAt ?? createdAt),
  };
}

const MERGES = sql`CASE WHEN agent.state = 'SLEEPING' AND agent.sleep_reason = 'review' AND NOT ${HELD}
  AND ${taskState} = 'APPROVED' AND ${taskRisk} = 'null' THEN 1 ELSE 0 END`;

/** Pages through everything that waits for a person: agents first, then tasks, each by age. */
export function waitsForPeople(
  db: Kysely<Schema>,
): Pick<ListTable, "waiting" | "waitingWork" | "waitingCounts"> {
  const rowsOf = async (query: RawBuilder<unknown>) => (await sql<Found>`${query}`.execute(db)).rows;
  return {
    waiting: async (repositories, { after, limit }) => {
      const [kind = 0, since = -1, id = 0] = after ?? [];
      const behind = kind === 0 ? behindSince(since, id) : sql`AND FALSE`;
      const agents =
        await rowsOf(sql`SELECT agent.*, 0 AS kind, ${SINCE} AS since FROM agent ${dialect.byIndex("agent_waits")}
        WHERE ${WAITS} ${behind} ${AND_NOT_REVIEWED} ${and("agent", repositories)}
        ORDER BY ${SINCE}, agent.id LIMIT ${limit}`);
      const found: Listed<WaitsForPerson>[] = agents.map((row) =>
        listed({ agent: recordCodecs.agent.decode(row) }, row, ["kind", "since", "id"]),
      );
      const [taskSince, taskId] = kind === 1 ? [since, id] : [-1, 0];
      const tasks = await rowsOf(sql`${OF_TASK} FROM task ${dialect.byIndex("task_waits")}
        WHERE ${TASK_WAITS} AND (task.created_at, task.id) > (${taskSince}, ${taskId}) ${and("task", repositories)}
        ORDER BY task.created_at, task.id LIMIT ${limit - found.length}`);
      return [...found, ...tasks.map((row) => listed(waitingTask(row), row, ["kind", "since", "id"]))];
    },
    waitingWork: async (repositoryId, issue) => {
      const [row] = await rowsOf(sql`${OF_TASK} FROM task WHERE task.id = (SELECT max(id) FROM task
        WHERE repository_id = ${repositoryId} AND issue = ${issue}) AND ${TASK_WAITS}`);
      return row && waitingTask(row);
    },
    waitingCounts: async () =>
      (
        await sql<{
          repositoryId: number;
          count: number;
          merges: number;
        }>`SELECT repository_id, sum(count) AS count, sum(merges) AS merges FROM (
          SELECT agent.repository_id, CASE
            WHEN ${HELD} OR agent.sleep_reason = 'paused' THEN 1
            WHEN agent.state = 'ESCALATED' THEN 1
            WHEN agent.sleep_reason = 'question' THEN (SELECT count(*) FROM question
              WHERE question.agent_id = agent.id AND ${ANSWERABLE})
            WHEN agent.sleep_reason = 'approval' AND agent.breaker IS NULL THEN (SELECT count(*) FROM approval
              WHERE approval.agent_id = agent.id AND approval.token = agent.token AND approval.state = 'asked')
            ELSE 1 END AS count, ${MERGES} AS merges
          FROM agent ${dialect.byIndex("agent_waits")} WHERE ${WAITS} ${AND_NOT_REVIEWED}
          UNION ALL SELECT task.repository_id, 1, CASE WHEN task.state = 'APPROVED' AND task.risk_above = 'null' THEN 1 ELSE 0 END FROM task ${dialect.byIndex("task_waits")}
            WHERE ${TASK_WAITS}) AS waiting GROUP BY repository_id`.execute(db)
      ).rows,
  };
}
