import { type Kysely, type RawBuilder, sql } from "kysely";
import type { AgentRecord } from "../core/machines/agent-record.ts";
import { RUN_STATES } from "../core/machines/run.ts";
import type { TaskRecord } from "../core/machines/task.ts";
import type { Listed, ListTable, OfRepositories, PageOf, StateCount } from "../core/ports/lists.ts";
import type { EffectRow } from "../core/rows.ts";
import { agentHolds } from "./agent-holds.ts";
import { aroundAgents } from "./around-agents.ts";
import { decodeDecision } from "./decisions.ts";
import { decodeDelivery } from "./deliveries.ts";
import { decodeEffect } from "./effects.ts";
import { ANSWERABLE } from "./questions.ts";
import { recordCodecs } from "./records.ts";
import type { Schema } from "./schema.ts";
import { decodeTransition } from "./transitions.ts";

type Found = Readonly<Record<string, unknown>>;

/** When an agent came to its state, as `since` of the core says; word for word as in the index `agent_since`. */
const SINCE = sql<number>`CASE agent.state WHEN 'CREATED' THEN agent.created_at
  WHEN 'ACTIVE' THEN coalesce(agent.active_since, agent.created_at)
  WHEN 'SLEEPING' THEN coalesce(agent.sleeping_since, agent.created_at)
  WHEN 'ESCALATED' THEN coalesce(agent.sleeping_since, agent.created_at)
  ELSE coalesce(agent.ended_at, agent.created_at) END`;

/** Word for word the condition of the index `agent_waits`. */
const WAITS = sql<boolean>`agent.state IN ('CREATED', 'SLEEPING', 'ESCALATED') AND (agent.state = 'ESCALATED'
  OR agent.sleep_reason IN ('paused', 'question', 'approval', 'review', 'retry', 'provider_limit')
  OR instr(agent.held_by, '"person"') > 0)`;

/** A review that nobody of ours is at waits for a person; all other reasons do. */
const AND_NOT_REVIEWED = sql`AND NOT (agent.state = 'SLEEPING' AND agent.sleep_reason = 'review'
  AND instr(agent.held_by, '"person"') = 0 AND EXISTS (SELECT 1 FROM agent AS reviewer
    WHERE reviewer.repository_id = agent.repository_id AND reviewer.issue = agent.issue
      AND reviewer.coder = 0 AND reviewer.state IN ('CREATED', 'ACTIVE')))`;

const PHASE = sql`(SELECT run.state FROM run WHERE run.agent_id = agent.id ORDER BY run.id DESC LIMIT 1) AS phase`;

const TASKS = sql`SELECT task.*, agent.name AS holder, sprint.title AS sprint_title
  FROM task LEFT JOIN agent ON agent.id = task.assignee_id LEFT JOIN sprint ON sprint.id = task.sprint_id`;

/** Pages by sort key: what is bound stands beside the index's own order, so a page costs as much wherever it begins. */
export function listTable(db: Kysely<Schema>): ListTable {
  const rowsOf = async (query: RawBuilder<unknown>) => (await sql<Found>`${query}`.execute(db)).rows;
  return {
    agents: async ({ states, repositories }, page) => {
      const columns = sql`SELECT agent.*, ${SINCE} AS since, ${PHASE} FROM agent`;
      if (states === null) {
        const [after = 0] = page.after ?? [];
        const found = await rowsOf(sql`${columns} WHERE agent.id > ${after}
          ${and("agent", repositories)} ORDER BY agent.id LIMIT ${page.limit}`);
        return found.map((row) => listed(withPhase(row), row, ["id"]));
      }
      const [first = 0, since = -1, id = 0] = page.after ?? [];
      const shown: Listed<ReturnType<typeof withPhase>>[] = [];
      for (const [index, state] of states.entries()) {
        const left = page.limit - shown.length;
        if (index < first || left === 0) continue;
        const behind = index === first ? behindSince(since, id) : sql``;
        const found = await rowsOf(sql`${columns} WHERE agent.state = ${sql.lit(state)} ${behind}
          ${and("agent", repositories)} ORDER BY ${SINCE}, agent.id LIMIT ${left}`);
        for (const row of found)
          shown.push({ row: withPhase(row), position: [index, Number(row["since"]), Number(row["id"])] });
      }
      return shown;
    },
    waiting: async (repositories, { after, limit }) => {
      const [since = -1, id = 0] = after ?? [];
      const found = await rowsOf(sql`SELECT agent.*, ${SINCE} AS since FROM agent INDEXED BY agent_waits
        WHERE ${WAITS} ${behindSince(since, id)} ${AND_NOT_REVIEWED} ${and("agent", repositories)}
        ORDER BY ${SINCE}, agent.id LIMIT ${limit}`);
      return found.map((row) => listed(recordCodecs.agent.decode(row), row, ["since", "id"]));
    },
    around: (agents) => aroundAgents(db, agents),
    holds: (agents) => agentHolds(db, agents),
    agentNamed: async (repositoryId, name) => {
      const [row] = await rowsOf(sql`SELECT * FROM agent
        WHERE repository_id = ${repositoryId} AND name = ${name} COLLATE NOCASE ORDER BY id LIMIT 1`);
      return row && recordCodecs.agent.decode(row);
    },
    tasks: async ({ state, repositories, latestFirst = false }, page) => {
      const { behind, order } = byId(sql`task.id`, page, latestFirst);
      const found = await rowsOf(sql`${TASKS} WHERE ${behind}
        ${state === null ? sql`` : sql`AND task.state = ${sql.lit(state)}`} ${and("task", repositories)} ${order}`);
      return found.map((row) => listed(taskOf(row), row, ["id"]));
    },
    tasksOfIssues: async (repositoryId, issues) =>
      (
        await rowsOf(sql`${TASKS} WHERE task.repository_id = ${repositoryId}
          AND task.issue IN ${all(issues)} ORDER BY task.id`)
      ).map(taskOf),
    lived: async (of, since, limit) =>
      (
        await rowsOf(sql`SELECT * FROM agent WHERE ${partOf(of)}
          AND (ended_at IS NULL OR ended_at >= ${since}) ORDER BY id DESC LIMIT ${limit}`)
      ).map((row) => recordCodecs.agent.decode(row)),
    gaveUp: async ({ repositoryId, issues }, since) =>
      (
        await rowsOf(sql`SELECT ended_at FROM agent INDEXED BY agent_gave_up
          WHERE state IN ('FAILED', 'CANCELLED') AND repository_id = ${repositoryId} AND ended_at >= ${since}
            ${issues === null ? sql`` : sql`AND issue IN ${all(issues)}`}`)
      ).map((row) => Number(row["endedAt"])),
    ended: async (repositories, since, limit) =>
      (
        await rowsOf(sql`SELECT * FROM agent INDEXED BY agent_ended
          WHERE ended_at >= ${since} ${and("agent", repositories)} ORDER BY ended_at DESC LIMIT ${limit}`)
      ).map((row) => recordCodecs.agent.decode(row)),
    agentMoves: async (agentIds) =>
      (
        await sql<{ agentId: number; at: number; to: string }>`SELECT agent_id, at, to_state AS "to"
          FROM transition WHERE agent_id IN ${all(agentIds)} AND machine = 'agent' ORDER BY id`.execute(db)
      ).rows,
    effects: async ({ states, repositories }, page) => {
      const [after = Number.MAX_SAFE_INTEGER] = page.after ?? [];
      const each = await Promise.all(
        states.map((state: EffectRow["state"]) =>
          rowsOf(sql`SELECT effect.*, agent.name AS holder
            FROM effect LEFT JOIN agent ON agent.id = effect.agent_id
            WHERE effect.state = ${sql.lit(state)} AND effect.id < ${after} ${and("effect", repositories)}
            ORDER BY effect.id DESC LIMIT ${page.limit}`),
        ),
      );
      const latest = each.flat().toSorted((one, other) => Number(other["id"]) - Number(one["id"]));
      return latest
        .slice(0, page.limit)
        .map((row) => listed({ effect: decodeEffect(row), agent: textOf(row["holder"]) }, row, ["id"]));
    },
    effectsOfAgent: async (agentId, page) => {
      const found = await rowsOf(sql`SELECT effect.*, agent.name AS holder
        FROM effect INDEXED BY effect_in_order JOIN agent ON agent.id = effect.agent_id
        WHERE effect.agent_id = ${agentId} AND effect.id < ${page.after?.[0] ?? Number.MAX_SAFE_INTEGER}
        ORDER BY effect.id DESC LIMIT ${page.limit}`);
      return found.map((row) =>
        listed({ effect: decodeEffect(row), agent: textOf(row["holder"]) }, row, ["id"]),
      );
    },
    transitions: async (where, page) => {
      const of =
        "agentId" in where ? sql`AND agent_id = ${where.agentId}` : and("transition", where.repositories);
      const found = await rowsOf(sql`SELECT * FROM transition
        WHERE id > ${page.after?.[0] ?? 0} ${of} ORDER BY id LIMIT ${page.limit}`);
      return found.map((row) => listed(decodeTransition(row), row, ["id"]));
    },
    decisions: async ({ repositoryId, issue, agentId }, page) => {
      const about = agentId === undefined ? sql`` : sql`AND (agent_id IS NULL OR agent_id = ${agentId})`;
      const found = await rowsOf(sql`SELECT * FROM decision
        WHERE repository_id = ${repositoryId} AND issue = ${issue} ${about}
          AND id < ${page.after?.[0] ?? Number.MAX_SAFE_INTEGER} ORDER BY id DESC LIMIT ${page.limit}`);
      return found.map((row) => listed(decodeDecision(row), row, ["id"]));
    },
    deliveries: async ({ state, repositories }, page) => {
      const of = state === null ? sql`` : sql`AND state = ${sql.lit(state)}`;
      const found =
        await rowsOf(sql`SELECT guid, seq, event, action, installation_id, repository_id, lane, state,
          attempts, not_before, note, received_at, settled_at, '' AS payload
        FROM delivery WHERE seq < ${page.after?.[0] ?? Number.MAX_SAFE_INTEGER} ${of} ${and("delivery", repositories)}
        ORDER BY seq DESC LIMIT ${page.limit}`);
      return found.map((row) => listed(decodeDelivery(row), row, ["seq"]));
    },
    agentCounts: async () =>
      (await sql<StateCount<AgentRecord["state"]>>`${counts("agent")}`.execute(db)).rows,
    taskCounts: async () => (await sql<StateCount<TaskRecord["state"]>>`${counts("task")}`.execute(db)).rows,
    waitingCounts: async () =>
      (
        await sql<{ repositoryId: number; count: number }>`SELECT repository_id, sum(CASE
            WHEN instr(agent.held_by, '"person"') > 0 OR agent.sleep_reason = 'paused' THEN 1
            WHEN agent.state = 'ESCALATED' THEN 1
            WHEN agent.sleep_reason = 'question' THEN (SELECT count(*) FROM question
              WHERE question.agent_id = agent.id AND ${ANSWERABLE})
            WHEN agent.sleep_reason = 'approval' THEN max(1, (SELECT count(*) FROM approval
              WHERE approval.agent_id = agent.id AND approval.token = agent.token AND approval.state = 'asked'))
            ELSE 1 END) AS count
          FROM agent INDEXED BY agent_waits WHERE ${WAITS} ${AND_NOT_REVIEWED} GROUP BY repository_id`.execute(
          db,
        )
      ).rows,
    costs: async (fromDay) =>
      (
        await sql<{ repositoryId: number; costMicroUsd: number }>`SELECT repository_id,
            sum(cost_micro_usd) AS cost_micro_usd
          FROM day_cost WHERE day >= ${fromDay} GROUP BY repository_id`.execute(db)
      ).rows,
  };
}

/** The rows behind a page's position by their ids. */
function byId(id: RawBuilder<unknown>, { after, limit }: PageOf, latestFirst = false) {
  return latestFirst
    ? {
        behind: sql`${id} < ${after?.[0] ?? Number.MAX_SAFE_INTEGER}`,
        order: sql`ORDER BY ${id} DESC LIMIT ${limit}`,
      }
    : { behind: sql`${id} > ${after?.[0] ?? 0}`, order: sql`ORDER BY ${id} LIMIT ${limit}` };
}

function behindSince(since: number, id: number): RawBuilder<unknown> {
  return sql`AND ${SINCE} >= ${since} AND (${SINCE} > ${since} OR agent.id > ${id})`;
}

/** The unary plus keeps SQLite from an index by repository, whose rows it would have to sort. */
function and(table: string, repositories: OfRepositories): RawBuilder<unknown> {
  if (repositories === null) return sql``;
  const column = sql.ref(`${table}.repository_id`);
  return sql`AND +${column} IN ${all(repositories)}`;
}

/** Of a repository the rows are walked in their own order, of a few issues they are looked up. */
function partOf({
  repositoryId,
  issues,
}: {
  readonly repositoryId: number;
  readonly issues: readonly number[] | null;
}): RawBuilder<unknown> {
  return issues === null
    ? sql`+repository_id = ${repositoryId}`
    : sql`repository_id = ${repositoryId} AND issue IN ${all(issues)}`;
}

function all(values: readonly number[]): RawBuilder<unknown> {
  return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

function taskOf(row: Found) {
  return {
    task: recordCodecs.task.decode(row),
    agent: textOf(row["holder"]),
    sprint: textOf(row["sprintTitle"]),
  };
}

function listed<Row>(row: Row, found: Found, key: readonly string[]): Listed<Row> {
  return { row, position: key.map((column) => Number(found[column])) };
}

function withPhase(row: Found) {
  return {
    agent: recordCodecs.agent.decode(row),
    phase: RUN_STATES.find((state) => state === row["phase"]) ?? null,
  };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function counts(machine: "agent" | "task"): RawBuilder<unknown> {
  return sql`SELECT repository_id, state, sum(count) AS count FROM tally
    WHERE machine = ${sql.lit(machine)} AND count > 0 GROUP BY repository_id, state`;
}
