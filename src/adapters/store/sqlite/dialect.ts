import { type RawBuilder, sql } from "kysely";
import type { Dialect } from "../sql/dialect.ts";

const JOIN_IN_ORDER = sql.raw("CROSS JOIN");
const BY_NO_INDEX = sql.raw("NOT INDEXED");

/** Implements the dialect of SQLite. */
export const sqliteDialect: Dialect = {
  byIndex: (index) => (index === null ? BY_NO_INDEX : sql.raw(`INDEXED BY ${index}`)),
  // A unary plus changes no value and keeps SQLite from using an index.
  unindexed: (value) => sql`+${value}`,
  joinInOrder: () => JOIN_IN_ORDER,
  among: (column, values) => sql`${column} IN ${values}`,
  skippingLocked: () => sql.raw(""),
  sameText: (column, text) => sql`${column} = ${text} COLLATE NOCASE`,
  // `delivery_in_state` holds the lane, `7#42`, of which a cast takes the number at the beginning.
  deliveryRepository: () => sql.raw("CAST(delivery.lane AS INTEGER)"),
  contains: (column, text) => sql`instr(${column}, ${sql.lit(text)}) > 0`,
  values: (json) => sql`(SELECT value FROM json_each(${json}))`,
  rows: (columns, rows) =>
    sql`(SELECT ${sql.join(Object.keys(columns).map((name) => sql.raw(`value ->> '${name}' AS ${name}`)))}
      FROM json_each(${JSON.stringify(rows)}))`,
  // Must match the index `effect_opened_issue` literally.
  numberIn: (column, field) =>
    sql`CASE WHEN json_valid(${column}) THEN ${column} ->> ${sql.lit(`$.${field}`)} END`,
  textIn: (column, field) =>
    sql`CASE WHEN json_valid(${column}) THEN ${column} ->> ${sql.lit(`$.${field}`)} END`,
  object: (fields) =>
    sql`json_object(${sql.join(Object.entries(fields).flatMap(([name, value]) => [sql.lit(name), value]))})`,
  arrival: (table) => sql.raw(`${table}.rowid`),
  lastId: (table) => sql`SELECT seq AS id FROM sqlite_sequence WHERE name = ${table}`,
  time: () => sql`SELECT NULL AS time`,
  databaseBytes: () =>
    sql`SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()`,
  columns: () => sql`SELECT tables.name, columns.name AS "column" FROM sqlite_schema AS tables
    JOIN pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'
    ORDER BY tables.name, columns.cid`,
  tablesAsText: (common, tables) => {
    const fields = tables.map(
      ({
        table,
        columns,
        rows,
      }) => sql`${sql.lit(table)}, json_object('columns', ${listsOf(columns).names}, 'rows',
        json((SELECT json_group_array(${listsOf(columns).values}) FROM (${rows}))))`,
    );
    return sql`WITH ${common}, known (text) AS MATERIALIZED (SELECT json_object(${sql.join(fields)}))
      SELECT text, (SELECT max(json_array_length(value, '$.rows')) FROM json_each(text)) AS most FROM known`;
  },
};

interface Lists {
  readonly names: RawBuilder<unknown>;
  readonly values: RawBuilder<unknown>;
}

/** Cached for each table: building the lists for each delivery takes longer than reading the rows. */
const lists = new WeakMap<readonly string[], Lists>();

/** Returns SQL for JSON lists of the columns' names and of their values. */
function listsOf(columns: readonly string[]): Lists {
  const list = (quote: string) =>
    sql.raw(`json_array(${columns.map((name) => `${quote}${name}${quote}`).join(", ")})`);
  const made = lists.get(columns) ?? { names: list("'"), values: list('"') };
  lists.set(columns, made);
  return made;
}
