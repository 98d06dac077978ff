import { type RawBuilder, sql } from "kysely";
import type { Dialect } from "../sql/dialect.ts";

const TYPES = { number: sql.raw("bigint"), text: sql.raw("text") } as const;
const NOTHING = sql.raw("");

/** Implements the dialect of PostgreSQL, whose planner takes no hints. */
export const postgresDialect: Dialect = {
  byIndex: () => NOTHING,
  unindexed: (value) => value,
  joinInOrder: () => sql.raw("JOIN"),
  sameText: (column, text) => sql`lower(${column}) = lower(${text})`,
  deliveryRepository: () => sql.raw("coalesce(delivery.repository_id, 0)"),
  contains: (column, text) => sql`strpos(${column}, ${sql.lit(text)}) > 0`,
  values: (json, type) =>
    sql`(SELECT value::${TYPES[type]} FROM jsonb_array_elements_text(${json}::jsonb) AS listed (value))`,
  rows: (columns, rows) => {
    const typed = Object.entries(columns).map(([name, type]) => sql`${sql.raw(name)} ${TYPES[type]}`);
    return sql`(SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS listed (${sql.join(typed)}))`;
  },
  among: (column, values) => sql`${column} = ANY (ARRAY${values})`,
  skippingLocked: () => sql.raw("FOR UPDATE SKIP LOCKED"),
  // Must match the index `effect_opened_issue`.
  numberIn: (column, field) => sql`((${column}::jsonb ->> ${sql.lit(field)})::bigint)`,
  textIn: (column, field) => sql`(${column}::jsonb ->> ${sql.lit(field)})`,
  object: (fields) =>
    sql`json_build_object(${sql.join(Object.entries(fields).flatMap(([name, value]) => [sql.lit(name), value]))})::text`,
  arrival: (table) => sql.raw(`${table}.${arrivalColumn(table)}`),
  lastId: (table) => sql`SELECT last_id(${sql.lit(table)}) AS id`,
  time: () => sql`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS time`,
  databaseBytes: () => sql`SELECT pg_database_size(current_database()) AS bytes`,
  columns: () => sql`SELECT table_name AS name, column_name AS "column" FROM information_schema.columns
    WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position`,
  tablesAsText: (common, tables) => {
    const fields = tables.map(
      ({
        table,
        columns,
        rows,
      }) => sql`${sql.lit(table)}, json_build_object('columns', ${namesOf(columns)}, 'rows',
        (SELECT coalesce(json_agg(json_build_array(${valuesOf(columns)})), '[]'::json) FROM (${rows}) AS kept))`,
    );
    return sql`WITH ${common}, known (text) AS MATERIALIZED (SELECT json_build_object(${sql.join(fields)}))
      SELECT text::text AS text, (SELECT max(json_array_length(value -> 'rows')) FROM json_each(text)) AS most FROM known`;
  },
};

/** Tables without an id of their own making. */
const UNNUMBERED = new Set([
  "agent_mark",
  "app_identity",
  "archive",
  "blockers",
  "check_attempt",
  "checkpoint",
  "conversation",
  "day_cost",
  "issue_text",
  "kept_secret",
  "linked_blocker",
  "lone_opening",
  "node",
  "progress",
  "provider_park",
  "replay_input",
  "reported_blocker",
  "repository_file",
  "round",
  "seen_check",
  "seen_pull",
  "sign_out",
  "tally",
]);

/** Returns the column that numbers a table's rows in their order of arrival. */
export function arrivalColumn(table: string): string {
  if (table === "delivery") return "seq";
  return UNNUMBERED.has(table) ? "arrival" : "id";
}

const namesOf = (columns: readonly string[]): RawBuilder<unknown> =>
  sql`json_build_array(${sql.join(columns.map((name) => sql.lit(name)))})`;
const valuesOf = (columns: readonly string[]): RawBuilder<unknown> =>
  sql.raw(columns.map((name) => `"${name}"`).join(", "));
