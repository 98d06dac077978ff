import type { Database } from "better-sqlite3";
import { z } from "zod";
import type { Row, TableReader, TableWriter } from "../copy/copy-tables.ts";

/** Rows at a time; some hold a whole webhook. */
const AT_ONCE = 100;

const named = z.array(z.object({ name: z.string(), column: z.string() }));
const COLUMNS = `SELECT s.name, c.name AS "column" FROM sqlite_schema s JOIN pragma_table_info(s.name) c
  WHERE s.type = 'table' AND s.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY s.rowid, c.cid`;

/** Returns the columns of each table. */
export function columnsIn(database: Database): ReadonlyMap<string, readonly string[]> {
  const found = Map.groupBy(named.parse(database.prepare(COLUMNS).all()), ({ name }) => name);
  return new Map([...found].map(([table, columns]) => [table, columns.map(({ column }) => column)]));
}

/** Returns a reader of the database; the caller holds a transaction while it reads. */
export function tableReader(database: Database): TableReader {
  const last = database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'run_event'").pluck().get();
  return {
    columns: columnsIn(database),
    lastEvent: z.int().parse(last ?? 0),
    rows: async function* (table, columns) {
      const names = columns.map((name) => `"${name}"`).join();
      const statement = database.prepare<[], Row>(`SELECT ${names} FROM "${table}"`).raw();
      let some: Row[] = [];
      for (const row of statement.iterate()) {
        some.push(row);
        if (some.length < AT_ONCE) continue;
        yield some;
        some = [];
      }
      if (some.length > 0) yield some;
    },
  };
}

/** Returns a writer into the database; the caller holds a transaction with `defer_foreign_keys`. */
export function tableWriter(database: Database): TableWriter {
  return {
    columns: columnsIn(database),
    empty: async (table) => {
      database.prepare(`DELETE FROM "${table}"`).run();
    },
    add: async (table, columns, rows) => {
      const names = columns.map((name) => `"${name}"`).join();
      const insert = database.prepare(
        `INSERT INTO "${table}" (${names}) VALUES (${columns.map(() => "?").join()})`,
      );
      for (const row of rows) insert.run(...row);
    },
  };
}
