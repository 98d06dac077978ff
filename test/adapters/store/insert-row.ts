import type { Database, Statement } from "better-sqlite3";

type Row = Readonly<Record<string, string | number | null>>;
interface Prepared {
  readonly columns: readonly { name: string; type: string; required: number }[];
  readonly statement: Statement;
}

const prepared = new WeakMap<Database, Map<string, Prepared>>();

/** Inserts rows of which only a few columns are named; the others are as empty as their table lets them be. */
export function inserter(database: Database): (table: string, row: Row) => number {
  const tables = prepared.get(database) ?? new Map<string, Prepared>();
  prepared.set(database, tables);
  return (table, row) => {
    const { columns, statement } = tables.get(table) ?? prepare(database, table);
    tables.set(table, { columns, statement });
    const values = columns.map(({ name, type, required }) => {
      if (name in row) return row[name] ?? null;
      if (required === 0) return null;
      return type === "INTEGER" ? 0 : "[]";
    });
    return Number(statement.run(...values).lastInsertRowid);
  };
}

function prepare(database: Database, table: string): Prepared {
  const columns = database
    .prepare<[], { name: string; type: string; required: number }>(
      `SELECT name, type, "notnull" AS required FROM pragma_table_info('${table}') WHERE pk = 0 OR name != 'id'`,
    )
    .all();
  const names = columns.map(({ name }) => name).join();
  const places = columns.map(() => "?").join();
  return { columns, statement: database.prepare(`INSERT INTO ${table} (${names}) VALUES (${places})`) };
}
