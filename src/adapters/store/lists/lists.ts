import { type Kysely, type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { AGENT_STATES, type AgentRecord, LIVE_AGENT_STATES } from "../../../domain/agents/agent-record.ts";
import { RUN_STATES } from "../../../domain/agents/run.ts";
import type { EffectRow } from "../../../domain/kernel/rows.ts";
import type { Listed, ListTable, PageOf, StateCount } from "../../../domain/ports/lists.ts";
import { HOLDING_UP } from "../../../domain/status/agent-status.ts";
import type { TaskRecord } from "../../../domain/tasks/task-record.ts";
import { dialect, numbers } from "../sql/dialect.ts";
import type { Schema } from "../sql/schema.ts";
import { decodeDecision, STILL_HOLDS } from "../tables/decisions.ts";
import { decodeDelivery } from "../tables/deliveries.ts";
import { decodeEffect } from "../tables/effects.ts";
import { recordCodecs } from "../tables/records.ts";
import { decodeTransition } from "../tables/transitions.ts";
import { agentHolds } from "./agent-holds.ts";
import { agentsLike } from "./agents-like.ts";
import { aroundAgents } from "./around-agents.ts";
import { and, behindSince, type Found, listed, SINCE } from "./list-parts.ts";
import { personsActs } from "./persons-acts.ts";
import { searchedAgents } from "./searched-agents.ts";
import { reviewed, waitsForPeople } from "./waits-for-people.ts";

const liveAgent = z.strictObject({
  name: z.string(),
  state: z.enum(LIVE_AGENT_STATES),
  phase: z.enum(RUN_STATES).nullable(),
  startsAt: z.int().nullable(),
  place: z.int().nullable(),
  why: z.string().nullable(),
});

const PHASE = sql`(SELECT run.state FROM run WHERE run.agent_id = agent.id ORDER BY run.id DESC LIMIT 1) AS phase`;

/**
 * Tests whether an agent waits for a slot. An agent that is due later is not offered one; once due, it has a
 * decision on record.
 */
const queued = (agent: "live" | "ahead") => sql`(${sql.ref(`${agent}.due_at`)} IS NULL OR EXISTS (
  SELECT 1 FROM decision ${dialect.byIndex("decision_of_agent")} WHERE decision.agent_id = ${sql.ref(`${agent}.id`)}
    AND decision.rule IN (${sql.join(HOLDING_UP)}) AND decision.last_at >= ${sql.ref(`${agent}.due_at`)}))`;

/**
 * The live agent of a task's issue, preferring one at work, with its position among those that wait to start.
 */
const LIVE = sql`(SELECT ${dialect.object({
  name: sql`live.name`,
  state: sql`live.state`,
  phase: sql`(SELECT run.state FROM run WHERE run.agent_id = live.id ORDER BY run.id DESC LIMIT 1)`,
  startsAt: sql`CASE WHEN live.state = 'CREATED' AND NOT ${queued("live")} THEN live.due_at END`,
  place: sql`CASE WHEN live.state = 'CREATED' AND ${queued("live")} THEN (SELECT count(*)
    FROM agent AS ahead ${dialect.byIndex("agent_since")}
    WHERE ahead.state = 'CREATED' AND ahead.id <= live.id AND ${queued("ahead")}) END`,
  why: sql`CASE WHEN live.state = 'CREATED' THEN coalesce((SELECT reason
    FROM decision ${dialect.byIndex("decision_of_agent")}
    WHERE decision.agent_id = live.id AND decision.rule IN (${sql.join(HOLDING_UP)}) AND ${STILL_HOLDS}
    ORDER BY decision.id DESC LIMIT 1), CASE WHEN live.due_at IS NOT NULL THEN live.reason END) END`,
})}
  FROM agent AS live WHERE live.id = coalesce(
    (SELECT max(id) FROM agent AS own WHERE own.repository_id = task.repository_id AND own.issue = task.issue
      AND own.state = 'ACTIVE'),
    (SELECT max(id) FROM agent AS own WHERE own.repository_id = task.repository_id AND own.issue = task.issue
      AND own.state IN ('CREATED', 'SLEEPING', 'ESCALATED')))) AS live`;

const TASKS = sql`SELECT task.*, agent.name AS holder, agent.pr_number AS pull, ${reviewed("task")} AS is_reviewed,
    agent.state AS coder_state, EXISTS (SELECT 1 FROM agent AS own WHERE own.repository_id = task.repository_id AND own.issue = task.issue
      AND own.coder = 1 AND own.state IN (${sql.join(LIVE_AGENT_STATES.map((state) => sql.lit(state)))})) AS has_coder,
    sprint.title AS sprint_title, ${LIVE}
  FROM task LEFT JOIN agent ON agent.id = task.assignee_id LEFT JOIN sprint ON sprint.id = task.sprint_id`;

/**
 * Implements the lists, paged by sort key: bound values never change the index order, so each page costs the
 * same.
 */
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
    agentsLike: (wanted, page) => agentsLike(db, wanted, page),
    searchedAgents: (wanted, page) => searchedAgents(db, wanted, page),
    ...waitsForPeople(db),
    around: (agents) => aroundAgents(db, agents),
    holds: (agents) => agentHolds(db, agents),
    agentNamed: async (repositoryId, name) => {
      const [row] = await rowsOf(sql`SELECT * FROM agent
        WHERE repository_id = ${repositoryId} AND ${dialect.sameText(sql`name`, name)} ORDER BY id LIMIT 1`);
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
          AND task.issue IN ${numbers(issues)} ORDER BY task.id`)
      ).map(taskOf),
    lived: async (of, since, limit) =>
      (
        await rowsOf(sql`SELECT * FROM agent WHERE ${partOf(of)}
          AND (ended_at IS NULL OR ended_at >= ${since}) ORDER BY id DESC LIMIT ${limit}`)
      ).map((row) => recordCodecs.agent.decode(row)),
    gaveUp: async ({ repositoryId, issues }, since) =>
      (
        await rowsOf(sql`SELECT ended_at FROM agent ${dialect.byIndex("agent_gave_up")}
          WHERE state IN ('FAILED', 'CANCELLED') AND repository_id = ${repositoryId} AND ended_at >= ${since}
            ${issues === null ? sql`` : sql`AND issue IN ${numbers(issues)}`}`)
      ).map((row) => Number(row["endedAt"])),
    ended: async (repositories, since, { after, limit }) => {
      const [at = Number.MAX_SAFE_INTEGER, id = 0] = after ?? [];
      const found = await rowsOf(sql`SELECT * FROM agent ${dialect.byIndex("agent_ended")}
        WHERE ended_at BETWEEN ${since} AND ${at} AND (ended_at < ${at} OR id < ${id}) ${and("agent", repositories)}
        ORDER BY ended_at DESC, id DESC LIMIT ${limit}`);
      return found.map((row) => listed(recordCodecs.agent.decode(row), row, ["endedAt", "id"]));
    },
    agentMoves: async (agentIds) =>
      (
        await sql<{ agentId: number; at: number; to: string }>`SELECT agent_id, at, to_state AS "to"
          FROM transition WHERE agent_id IN ${numbers(agentIds)} AND machine = 'agent' ORDER BY id`.execute(
          db,
        )
      ).rows,
    effects: async ({ states, repositories, notices }, page) => {
      const [after = Number.MAX_SAFE_INTEGER] = page.after ?? [];
      const kind = dialect.unindexed(sql`effect.kind`);
      const of = notices === undefined ? sql`` : sql`AND ${kind} ${notices ? sql`=` : sql`<>`} 'notify'`;
      const each = await Promise.all(
        states.map((state: EffectRow["state"]) =>
          rowsOf(sql`SELECT effect.*, agent.name AS holder
            FROM effect LEFT JOIN agent ON agent.id = effect.agent_id
            WHERE effect.state = ${sql.lit(state)} AND effect.id < ${after} ${of} ${and("effect", repositories)}
            ORDER BY effect.id DESC LIMIT ${page.limit}`),
        ),
      );
      const latest = each.flat().toSorted((one, other) => Number(other["id"]) - Number(one["id"]));
      return latest
        .slice(0, page.limit)
        .map((row) => listed({ effect: decodeEffect(row), agent: textOf(row["holder"]) }, row, ["id"]));
    },
    lastScheduled: async (lanes) =>
      (
        await rowsOf(sql`SELECT * FROM effect WHERE id IN (
          SELECT max(id) FROM effect ${dialect.byIndex("effect_scheduled")} WHERE kind = 'open_scheduled'
            AND lane IN ${dialect.values(JSON.stringify(lanes), "text")} GROUP BY lane)`)
      ).map(decodeEffect),
    effectsOfAgent: async (agentId, page) => {
      const found = await rowsOf(sql`SELECT effect.*, agent.name AS holder
        FROM effect ${dialect.byIndex("effect_in_order")} JOIN agent ON agent.id = effect.agent_id
        WHERE effect.agent_id = ${agentId} AND effect.id < ${page.after?.[0] ?? Number.MAX_SAFE_INTEGER}
        ORDER BY effect.id DESC LIMIT ${page.limit}`);
      return found.map((row) =>
        listed({ effect: decodeEffect(row), agent: textOf(row["holder"]) }, row, ["id"]),
      );
    },
    personsActs: (wanted, page) => personsActs(db, wanted, page),
    transitions: async (where, page) => {
      const of =
        "agentId" in where ? sql`AND agent_id = ${where.agentId}` : and("transition", where.repositories);
      const { behind, order } = byId(sql`id`, page, "agentId" in where && where.latestFirst);
      const found = await rowsOf(sql`SELECT * FROM transition WHERE ${behind} ${of} ${order}`);
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
    costs: async (fromDay) =>
      (
        await sql<{ repositoryId: number; costMicroUsd: number }>`SELECT repository_id,
            sum(cost_micro_usd) AS cost_micro_usd
          FROM day_cost WHERE day >= ${fromDay} GROUP BY repository_id`.execute(db)
      ).rows,
  };
}

/** Returns the condition and the order of the rows after a page's position, by id. */
function byId(id: RawBuilder<unknown>, { after, limit }: PageOf, latestFirst = false) {
  return latestFirst
    ? {
        behind: sql`${id} < ${after?.[0] ?? Number.MAX_SAFE_INTEGER}`,
        order: sql`ORDER BY ${id} DESC LIMIT ${limit}`,
      }
    : { behind: sql`${id} > ${after?.[0] ?? 0}`, order: sql`ORDER BY ${id} LIMIT ${limit}` };
}

/** Walks a whole repository in the order of its rows, and looks up a few issues by index. */
function partOf({
  repositoryId,
  issues,
}: {
  readonly repositoryId: number;
  readonly issues: readonly number[] | null;
}): RawBuilder<unknown> {
  return issues === null
    ? sql`${dialect.unindexed(sql`repository_id`)} = ${repositoryId}`
    : sql`repository_id = ${repositoryId} AND issue IN ${numbers(issues)}`;
}

function taskOf(row: Found) {
  return {
    task: recordCodecs.task.decode(row),
    agent: textOf(row["holder"]),
    pull: row["pull"] === null ? null : Number(row["pull"]),
    isReviewed: row["isReviewed"] === 1,
    hasCoder: row["hasCoder"] === 1,
    coderState: AGENT_STATES.find((state) => state === row["coderState"]) ?? null,
    sprint: textOf(row["sprintTitle"]),
    live: typeof row["live"] === "string" ? liveAgent.parse(JSON.parse(row["live"])) : null,
  };
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
