import { type FunctionNode, type OperationNode, type RawBuilder, sql } from "kysely";

type Sql = RawBuilder<unknown>;
/** How a column of a list is compared with those of tables. */
type ColumnType = "number" | "text";

/**
 * What each database writes in its own way; all other SQL of the tables is the same for every database. Answers have the
 * form that SQLite gives them: whole numbers as numbers, and true and false as 1 and 0.
 */
export interface Dialect {
  /** Behind a table: reads it by this index, or by none in the order of its ids. Empty where the planner takes no orders. */
  byIndex(index: string | null): Sql;
  /** The same value, for which the planner looks for no index. */
  unindexed(value: Sql): Sql;
  /** Between two tables, followed by ON: an inner join that reads the first one first. */
  joinInOrder(): Sql;
  /** Whether a column holds this text, in capitals or not. */
  sameText(column: Sql, text: string): Sql;
  /** Whether a text column contains this constant text. */
  contains(column: Sql, text: string): Sql;
  /** A subquery of one column with the values of a list; `json`, its JSON text, is its only parameter. */
  values(json: string, type: ColumnType): Sql;
  /** A subquery with these rows, their columns by name. */
  rows(columns: Readonly<Record<string, ColumnType>>, rows: readonly object[]): Sql;
  /** The number in a field of a column with JSON text; null where the text is no JSON or has no such field. */
  numberIn(column: Sql, field: string): Sql;
  /** JSON text of an object with these fields. */
  object(fields: Readonly<Record<string, Sql>>): Sql;
  /** The column that numbers a table's rows in the order in which they came; each table has one. */
  arrival(table: string): Sql;
  /** A query for the last id that a table gave, as `id`, also where its row is gone; no row before the first. */
  lastId(table: string): Sql;
  /** A query for the size of the database, as `bytes`. */
  databaseBytes(): Sql;
  /** A query for the tables and their columns, as `name` and `column`, in order. */
  columns(): Sql;
  /**
   * A query of one row: as `text` a JSON object that has for each table its columns and a list of values for each row, as
   * `most` how many rows the largest of them has. `common` are common table expressions for the rows.
   */
  tablesAsText(common: Sql, tables: readonly TableRows[]): Sql;
}

interface TableRows {
  readonly table: string;
  readonly columns: readonly string[];
  /** A query for them. */
  readonly rows: Sql;
}

/** A part of a query that is written when the query is compiled, by the compiler of its database. */
interface DialectNode extends FunctionNode {
  readonly write: (dialect: Dialect) => Sql;
  /** As it was written before: most parts are constants of a file, and each query with one is compiled often. */
  readonly written: Map<Dialect, OperationNode>;
}

/** The words of whichever database compiles the query. */
export const dialect: Dialect = {
  byIndex: (index) => later((database) => database.byIndex(index)),
  unindexed: (value) => later((database) => database.unindexed(value)),
  joinInOrder: () => later((database) => database.joinInOrder()),
  sameText: (column, text) => later((database) => database.sameText(column, text)),
  contains: (column, text) => later((database) => database.contains(column, text)),
  values: (json, type) => later((database) => database.values(json, type)),
  rows: (columns, rows) => later((database) => database.rows(columns, rows)),
  numberIn: (column, field) => later((database) => database.numberIn(column, field)),
  object: (fields) => later((database) => database.object(fields)),
  arrival: (table) => later((database) => database.arrival(table)),
  lastId: (table) => later((database) => database.lastId(table)),
  databaseBytes: () => later((database) => database.databaseBytes()),
  columns: () => later((database) => database.columns()),
  tablesAsText: (common, tables) => later((database) => database.tablesAsText(common, tables)),
};

/** A function is the node that a compiler of Kysely lets others write. */
function later(write: DialectNode["write"]): Sql {
  const node: DialectNode = {
    kind: "FunctionNode",
    func: "in the dialect",
    arguments: [],
    write,
    written: new Map(),
  };
  return sql`${{ toOperationNode: () => node }}`;
}

/** For the compiler of a database: the node in its words. Undefined for a function of SQL. */
export function inWordsOf(database: Dialect, node: FunctionNode): OperationNode | undefined {
  if (!isDialectNode(node)) return undefined;
  const written = node.written.get(database) ?? node.write(database).toOperationNode();
  node.written.set(database, written);
  return written;
}

function isDialectNode(node: FunctionNode): node is DialectNode {
  return "write" in node;
}

/** The connection of a database throws this for a row that a unique index forbids. */
export class UniqueViolation extends Error {
  override readonly name = "UniqueViolation";
}

/** A subquery with the numbers of a list. */
export function numbers(list: readonly number[]): Sql {
  return dialect.values(JSON.stringify(list), "number");
}
