import { type RawBuilder, sql } from "kysely";
import { dialect } from "../sql/dialect.ts";

/** The issue of a decision, and its time in milliseconds since the epoch. */
export interface Around {
  readonly repositoryId: number;
  readonly issue: number;
  readonly at: number;
}

const DAY_MS = 86_400_000;
/** The number of earlier decisions that a decision can read. */
const DECISIONS = 20;
/**
 * The number of calls read of each agent: as many as a person who is asked sees, and the reports between
 * them.
 */
const CALLS = 20;

/** A table, and the rows of it that a decision about an issue depends on. */
interface Part {
  readonly table: string;
  readonly rows: RawBuilder<unknown>;
}

/** The maximum number of rows read of each table; one more row shows that there are too many. */
export const MOST_ROWS = 1_000;

/**
 * Returns common table expressions with the ids to read: the issue's agents, and tasks and agents of others
 * that its decisions depend on. Those are agents that work or still stop (slots), have pull requests that
 * await people, or wait for the issue; its parents and children; and its repository's sprints.
 */
export function replayInputIds({ repositoryId, issue }: Around): RawBuilder<unknown> {
  const live = sql`state in ('CREATED', 'ACTIVE', 'SLEEPING', 'ESCALATED')`;
  return sql`mine (id) as materialized (
      select id from agent where repository_id = ${repositoryId} and issue = ${issue}),
    tasks (id) as materialized (
      ${some(sql`select id from task where repository_id = ${repositoryId} and issue = ${issue}`)}
      union ${some(sql`select id from task where state in ('READY_FOR_REVIEW', 'APPROVED', 'BLOCKED')`)}
      union ${some(sql`select id from task where sprint_id in (select id from sprint
        where repository_id = ${repositoryId} and state in ('IN_PROGRESS', 'CHECKPOINT'))`)}),
    agents (id) as materialized (
      select id from mine
      union ${some(sql`select id from agent where state = 'ACTIVE'`)}
      union ${some(sql`select agent_id as id from effect
        where state in ('pending', 'leased') and kind = 'close_session'`)}
      union ${some(sql`select assignee_id as id from task
        where id in (select id from tasks) and assignee_id is not null`)}
      union ${some(sql`select agent.id from task ${dialect.joinInOrder()} agent
        on agent.repository_id = task.repository_id and agent.issue = task.issue
        where task.id in (select id from tasks) and task.sprint_id is not null and agent.${live}`)}
      union ${some(sql`select agent.id from reported_blocker ${dialect.joinInOrder()} agent on agent.id = agent_id
        where reported_blocker.repository_id = ${repositoryId} and number = ${issue} and ${live}`)}
      union ${some(sql`select agent.id from linked_blocker ${dialect.joinInOrder()} agent
        on agent.repository_id = linked_blocker.repository_id and agent.issue = linked_blocker.issue
        where number = ${issue} and ${live}`)}
      union ${some(sql`select parent_agent_id as id from agent
        where id in (select id from mine) and parent_agent_id is not null`)}
      union ${some(sql`select id from agent where parent_agent_id in (select id from mine)`)})`;
}

/**
 * Returns the rows that a decision about an issue depends on: the issue's own, the others that
 * `replayInputIds` names, and the repository's starts and spending of the day. Includes the last row of each
 * numbered table, so that new rows get the same numbers as then.
 */
export function replayInputParts({ repositoryId, issue, at }: Around): readonly Part[] {
  const here = sql`repository_id = ${repositoryId} and issue = ${issue}`;
  const mine = sql`(select id from mine)`;
  const tasks = sql`(select id from tasks)`;
  const ofAgents = sql`agent_id in (select id from agents)`;
  const day = Math.floor(at / DAY_MS);
  const [blockers, pulls] = [dialect.arrival("blockers"), dialect.arrival("seen_pull")];
  return [
    of("repository", sql`true`),
    of("scope_pause", sql`true`),
    of("provider_park", sql`true`),
    numbered("incident", sql`state = 'open'`),
    numbered("agent", sql`id in (select id from agents)`),
    numbered("run", ofAgents),
    numbered("session", ofAgents),
    numbered("task", sql`id in ${tasks}`),
    numbered("review_lease", sql`task_id in ${tasks}`),
    numbered(
      "sprint",
      sql`state in ('IN_PROGRESS', 'CHECKPOINT') or id in (select sprint_id from task where ${here})`,
    ),
    numbered("goal", sql`state = 'IN_PROGRESS' or (${here})`),
    numbered("question", sql`agent_id in ${mine}`),
    numbered("approval", sql`agent_id in ${mine}`),
    numbered("wake", sql`agent_id in ${mine} or (state = 'pending' and ${ofAgents})`),
    numbered("intent", sql`agent_id in ${mine} or (state = 'recorded' and ${ofAgents})`),
    numbered("verdict", sql`task_id in (select id from task where ${here})`),
    numbered(
      "decision",
      sql`(${here} and rule = 'foreign_commit')
        or id in (select id from decision where ${here} order by id desc limit ${sql.lit(DECISIONS)})`,
    ),
    numbered(
      "effect",
      sql`state in ('pending', 'leased') and ((${here}) or ${ofAgents} or kind = 'close_session'
        or (kind = 'status_comment' and repository_id = ${repositoryId}))`,
    ),
    numbered(
      "transition",
      sql`repository_id = ${repositoryId} and event = 'START' and at >= ${at - DAY_MS} and machine = 'agent'`,
    ),
    numbered(
      "tool_call",
      sql`id in (select id from (
        select id, row_number() over (partition by agent_id order by id desc) as nth
        from tool_call where agent_id in ${mine}) as call where nth <= ${sql.lit(CALLS)})`,
      sql`id, agent_id, tool_call_id, tool, substr(input, 1, 1000) as input, turn, status, asked, null as output,
        started_at, ended_at, duration_ms`,
    ),
    of("day_cost", sql`repository_id = ${repositoryId} and day = ${day}`),
    of("day_grant", sql`repository_id = ${repositoryId} and day = ${day}`),
    of(
      "blockers",
      sql`${blockers} in (select ${blockers} from blockers where ${here}
        union select ${blockers} from linked_blocker ${dialect.joinInOrder()} blockers
        on blockers.repository_id = linked_blocker.repository_id and blockers.issue = linked_blocker.issue
        where number = ${issue} limit ${sql.lit(MOST_ROWS + 1)})`,
    ),
    of(
      "seen_pull",
      sql`${pulls} in (select ${pulls} from agent ${dialect.joinInOrder()} seen_pull
        on seen_pull.repository_id = agent.repository_id and pull = pr_number
        where agent.id in (select id from agents))`,
    ),
    of("issue_text", here),
  ];
}

function some(rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select id from (${rows} limit ${sql.lit(MOST_ROWS + 1)}) as part`;
}

function of(table: string, condition: RawBuilder<unknown>, columns = sql`*`): Part {
  const limit = sql.lit(MOST_ROWS + 1);
  return { table, rows: sql`select ${columns} from ${sql.table(table)} where ${condition} limit ${limit}` };
}

/** Adds the last row of a numbered table. */
function numbered(table: string, condition: RawBuilder<unknown>, columns?: RawBuilder<unknown>): Part {
  return of(table, sql`(${condition}) or id = (select max(id) from ${sql.table(table)})`, columns);
}
