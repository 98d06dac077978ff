import { type Kysely, type RawBuilder, sql } from "kysely";
import type { RetentionTable, RetentionWalk } from "../../../domain/ports/audit-tables.ts";
import { dialect } from "../sql/dialect.ts";
import type { Schema } from "../sql/schema.ts";
import { sumUpUsage } from "../tables/usage.ts";
import { endedBefore, forgetIssues } from "./forgotten-issues.ts";

/** Says that a table has no such time. A bare 0 would make some databases compare it with numbers of 32 bits. */
const NO_TIME = "CAST(0 AS BIGINT)";

interface Walk extends RetentionWalk {
  /**
   * The column that numbers the rows in their order of arrival; "arrival" where only the dialect knows the
   * column.
   */
  readonly id: string;
  /**
   * SQL for the row's time in ms since the epoch; `NO_TIME` where the order of the rows does not follow their age.
   */
  readonly at: string;
  /** Returns the condition under which an old row may go; `before` is the time limit. */
  readonly gone: (before: number) => RawBuilder<unknown>;
  /** Says how rows go; by default they are deleted. */
  readonly how?: "with their issue" | "summed up";
}

/** Tests that no agent lives on the issue and that its task has ended. */
const quiet = (issue: string) => {
  const [repositoryId, number] = [sql.ref(`${issue}.repository_id`), sql.ref(`${issue}.issue`)];
  return sql`NOT EXISTS (SELECT 1 FROM agent AS live WHERE live.repository_id = ${repositoryId}
      AND live.issue = ${number} AND live.state IN ('CREATED', 'ACTIVE', 'SLEEPING', 'ESCALATED'))
    AND NOT EXISTS (SELECT 1 FROM task AS open WHERE open.repository_id = ${repositoryId}
      AND open.issue = ${number} AND open.state NOT IN ('MERGED', 'SUPERSEDED', 'ABANDONED'))`;
};

const ofEnded = (table: string) => (before: number) =>
  sql`EXISTS (SELECT 1 FROM agent WHERE agent.id = ${sql.ref(`${table}.agent_id`)}
    AND agent.ended_at < ${before} AND ${quiet("agent")})`;

const ofQuietIssue = (table: string) => (before: number) =>
  sql`((${sql.ref(`${table}.agent_id`)} IS NOT NULL AND ${ofEnded(table)(before)})
    OR (${sql.ref(`${table}.agent_id`)} IS NULL AND ${quiet(table)}))`;

const always = () => sql`true`;

/**
 * Tests that a later time of its schedule knows the issue that this one opened: without it, a second issue is opened beside
 * one that is open for long. The columns are those of `effect_of_agent`.
 */
const isForgottenTime = (() => {
  const later = sql`SELECT 1 FROM effect AS later WHERE later.agent_id IS NULL AND later.kind = 'open_scheduled'
    AND later.lane = effect.lane AND later.id > effect.id`;
  return sql`(effect.kind <> 'open_scheduled' OR (EXISTS (${later})
    AND (effect.state <> 'done' OR EXISTS (${later} AND later.state = 'done'))))`;
})();

/** Tests that the issue has no agents on record. */
const noAgentOf = (table: string) =>
  sql`NOT EXISTS (SELECT 1 FROM agent WHERE agent.repository_id = ${sql.ref(`${table}.repository_id`)}
    AND agent.issue = ${sql.ref(`${table}.issue`)})`;

const walk = (kind: Walk["kind"], table: string, rest: Partial<Walk> = {}): Walk => ({
  table,
  kind,
  id: "id",
  at: "created_at",
  gone: ofEnded(table),
  ...rest,
});

/** Referencing rows come before those that they reference. */
const WALKS: readonly Walk[] = [
  walk("deliveries", "delivery", {
    id: "seq",
    at: "received_at",
    gone: () => sql`delivery.state IN ('done', 'ignored')`,
  }),
  walk("runEvents", "run_event", { at: "at", gone: ofQuietIssue("run_event") }),
  walk("toolCalls", "tool_call", { at: "started_at" }),
  walk("decisions", "decision", {
    at: "at",
    gone: (before) => sql`decision.last_at < ${before} AND ${ofQuietIssue("decision")(before)}`,
  }),
  walk("transitions", "transition", {
    at: "at",
    gone: (before) =>
      sql`transition.machine NOT IN ('agent', 'task', 'sprint', 'goal') AND ${ofQuietIssue("transition")(before)}`,
  }),
  walk("effects", "effect", {
    gone: (before) =>
      sql`effect.state IN ('done', 'skipped') AND effect.settled_at < ${before}
        AND ${ofQuietIssue("effect")(before)} AND ${isForgottenTime}`,
  }),
  walk("details", "evidence"),
  walk("details", "screen"),
  walk("details", "intent", {
    gone: (before) => sql`${ofEnded("intent")(before)}
      AND NOT EXISTS (SELECT 1 FROM evidence WHERE evidence.intent_id = intent.id)`,
  }),
  walk("details", "handoff"),
  walk("details", "wake", { gone: (before) => sql`wake.state != 'pending' AND ${ofEnded("wake")(before)}` }),
  walk("details", "question"),
  walk("details", "approval"),
  walk("details", "progress", { id: "agent_id", at: NO_TIME }),
  walk("details", "usage", { at: "at", how: "summed up" }),
  walk("records", "agent", {
    at: NO_TIME,
    gone: (before) => sql`${endedBefore(before)} AND ${quiet("agent")}`,
    how: "with their issue",
  }),
  walk("records", "delivery", {
    id: "seq",
    at: "received_at",
    gone: () => sql`delivery.state = 'dead'`,
  }),
  walk("records", "effect", {
    gone: (
      before,
    ) => sql`effect.state = 'failed' AND effect.settled_at < ${before} AND effect.agent_id IS NULL
      AND ${quiet("effect")} AND ${isForgottenTime}`,
  }),
  walk("records", "transition", {
    at: "at",
    gone: (before) => sql`transition.agent_id IS NULL AND ${ofQuietIssue("transition")(before)}`,
  }),
  // Only its transitions say when a task ended, so it goes after all of them have gone.
  walk("records", "task", {
    gone: () => sql`${noAgentOf("task")} AND ${quiet("task")} AND NOT EXISTS (SELECT 1 FROM transition
      WHERE transition.repository_id = task.repository_id AND transition.issue = task.issue)`,
    how: "with their issue",
  }),
  walk("records", "sprint", {
    at: NO_TIME,
    gone: (before) => sql`sprint.ended_at < ${before}
      AND NOT EXISTS (SELECT 1 FROM task WHERE task.sprint_id = sprint.id)`,
  }),
  walk("records", "goal", {
    at: NO_TIME,
    gone: (before) => sql`goal.ended_at < ${before}
      AND goal.id NOT IN (SELECT goal_id FROM sprint WHERE goal_id IS NOT NULL)`,
  }),
  walk("records", "blockers", {
    id: "arrival",
    at: NO_TIME,
    gone: (before) => sql`blockers.read_at < ${before} AND ${noAgentOf("blockers")}`,
  }),
  walk("records", "issue_text", {
    id: "arrival",
    at: NO_TIME,
    gone: (before) => sql`issue_text.at < ${before} AND ${noAgentOf("issue_text")}`,
  }),
  walk("records", "touch", { at: "at", gone: always }),
  walk("records", "seen_check", { id: "arrival", at: "seen_at", gone: always }),
  walk("records", "seen_pull", {
    id: "arrival",
    at: "opened_at",
    gone: () => sql`NOT EXISTS (SELECT 1 FROM agent WHERE agent.repository_id = seen_pull.repository_id
      AND agent.pr_number = seen_pull.pull AND agent.ended_at IS NULL)`,
  }),
  walk("records", "incident", { at: "opened_at", gone: () => sql`incident.state = 'closed'` }),
  walk("records", "day_grant", { at: "at", gone: always }),
  walk("records", "day_cost", { id: "arrival", at: "day * 86400000", gone: always }),
];

/** Deletes rows that are older than their retention, a slice of a table at a time, in order of arrival. */
export function retentionTable(db: Kysely<Schema>): RetentionTable {
  return {
    walks: WALKS,
    sweep: async ({ table, kind }, { from, before, limit }) => {
      const found = WALKS.find((one) => one.table === table && one.kind === kind);
      if (found === undefined) throw new Error(`nothing of ${table} is kept as ${kind}`);
      const id = found.id === "arrival" ? dialect.arrival(table) : sql.ref(`${table}.${found.id}`);
      const slice = sql`SELECT ${id} AS id, ${sql.raw(found.at)} AS at FROM ${sql.table(table)}
        WHERE ${id} > ${from} ORDER BY ${id} LIMIT ${limit}`;
      const { rows } = await sql<{ count: number; last: number | null; young: number | null }>`
        SELECT count(*) AS count, max(id) AS last, min(CASE WHEN at >= ${before} THEN id END) AS young
        FROM (${slice}) AS slice`.execute(db);
      const { count = 0, last = null, young = null } = rows[0] ?? {};
      if (last === null) return { to: null, deleted: 0 };
      const to = young === null ? last : young - 1;
      const whole = young !== null || count < limit;
      const gone = found.gone(before);
      if (found.how === "with their issue") {
        const done = await forgetIssues(db, { table, from, to, limit, gone });
        return { to: whole && done.whole ? null : done.to, deleted: done.deleted };
      }
      const old = sql`${id} > ${from} AND ${id} <= ${to} AND ${gone}`;
      const deleted = await (found.how === "summed up" ? sumUpUsage(db, old) : remove(db, table, old));
      return { to: whole ? null : to, deleted };
    },
  };
}

async function remove(db: Kysely<Schema>, table: string, old: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`DELETE FROM ${sql.table(table)} WHERE ${old}`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
