import { type Expression, type FunctionNode, type OperationNode, type RawBuilder, sql } from "kysely";

type Sql = RawBuilder<unknown>;
/** The type by which a list's column is compared with columns of tables. */
type ColumnType = "number" | "text";

/**
 * The SQL that differs between databases; all other SQL of the tables is the same everywhere. In results,
 * whole numbers are numbers, and true and false are 1 and 0.
 */
export interface Dialect {
  /**
   * Follows a table: reads it by this index, or without one in the order of its ids. Empty where the planner
   * takes no hints.
   */
  byIndex(index: string | null): Sql;
  /** Returns the same value in a form for which the planner uses no index. */
  unindexed(value: Sql): Sql;
  /** Stands between two tables, followed by ON: an inner join that reads the first table first. */
  joinInOrder(): Sql;
  /** Tests whether a column has one of the values of a subquery, which runs once: else its limit would hold for each run. */
  among(column: Sql, values: Expression<unknown>): Sql;
  /**
   * Ends a subquery for the rows that an update takes: leaves out those that another transaction is taking. Empty where
   * one transaction writes at a time.
   */
  skippingLocked(): Sql;
  /** Tests whether a column has this text, ignoring case. */
  sameText(column: Sql, text: string): Sql;
  /** Returns the id of a delivery's repository, 0 for none; read from an index where the database can. */
  deliveryRepository(): Sql;
  /** Tests whether a text column contains this constant text. */
  contains(column: Sql, text: string): Sql;
  /**
   * Returns a subquery of one column with the values of a list. `json`, the list as JSON text, is its only
   * parameter.
   */
  values(json: string, type: ColumnType): Sql;
  /** Returns a subquery with these rows, with named columns. */
  rows(columns: Readonly<Record<string, ColumnType>>, rows: readonly object[]): Sql;
  /**
   * Returns the number in a field of a column of JSON text; null where the text is no JSON or lacks the
   * field.
   */
  numberIn(column: Sql, field: string): Sql;
  /** Returns the text in a field of a column of JSON text; null where the text is no JSON or lacks the field. */
  textIn(column: Sql, field: string): Sql;
  /** Returns JSON text of an object with these fields. */
  object(fields: Readonly<Record<string, Sql>>): Sql;
  /** Returns the column that numbers a table's rows in their order of arrival; each table has one. */
  arrival(table: string): Sql;
  /**
   * Returns a query for the last id that a table assigned, as `id`, even if its row is gone; no row before
   * the first.
   */
  lastId(table: string): Sql;
  /** Returns a query for the time of the server's clock, as `time`; null where there is no server. */
  time(): Sql;
  /** Returns a query for the size of the database, as `bytes`. */
  databaseBytes(): Sql;
  /** Returns a query for the tables and their columns, as `name` and `column`, in order. */
  columns(): Sql;
  /**
   * Returns a query of one row: `text` is a JSON object with the columns and the rows' values of each table,
   * `most` the row count of the largest. `common` holds common table expressions for the rows.
   */
  tablesAsText(common: Sql, tables: readonly TableRows[]): Sql;
}

interface TableRows {
  readonly table: string;
  readonly columns: readonly string[];
  /** A query for the rows. */
  readonly rows: Sql;
}

/** A part of a query that the compiler of its database writes when it compiles the query. */
interface DialectNode extends FunctionNode {
  readonly write: (dialect: Dialect) => Sql;
  /**
   * Caches the SQL by dialect: most parts are constants of a file, and queries with them are compiled often.
   */
  readonly written: Map<Dialect, OperationNode>;
}

/** Writes each part in the dialect of the database that compiles the query. */
export const dialect: Dialect = {
  byIndex: (index) => later((database) => database.byIndex(index)),
  unindexed: (value) => later((database) => database.unindexed(value)),
  joinInOrder: () => later((database) => database.joinInOrder()),
  among: (column, values) => later((database) => database.among(column, values)),
  skippingLocked: () => later((database) => database.skippingLocked()),
  sameText: (column, text) => later((database) => database.sameText(column, text)),
  deliveryRepository: () => later((database) => database.deliveryRepository()),
  contains: (column, text) => later((database) => database.contains(column, text)),
  values: (json, type) => later((database) => database.values(json, type)),
  rows: (columns, rows) => later((database) => database.rows(columns, rows)),
  numberIn: (column, field) => later((database) => database.numberIn(column, field)),
  textIn: (column, field) => later((database) => database.textIn(column, field)),
  object: (fields) => later((database) => database.object(fields)),
  arrival: (table) => later((database) => database.arrival(table)),
  lastId: (table) => later((database) => database.lastId(table)),
  time: () => later((database) => database.time()),
  databaseBytes: () => later((database) => database.databaseBytes()),
  columns: () => later((database) => database.columns()),
  tablesAsText: (common, tables) => later((database) => database.tablesAsText(common, tables)),
};

/**
 * Creates a node that is written at compile time. Kysely's compiler lets others handle nodes of functions.
 */
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

/**
 * Returns the node in a database's dialect; undefined for an ordinary SQL function. Called by the query
 * compiler.
 */
export function inWordsOf(database: Dialect, node: FunctionNode): OperationNode | undefined {
  if (!isDialectNode(node)) return undefined;
  const written = node.written.get(database) ?? node.write(database).toOperationNode();
  node.written.set(database, written);
  return written;
}

function isDialectNode(node: FunctionNode): node is DialectNode {
  return "write" in node;
}

/** Thrown by the database's connection for a row that a unique index forbids. */
export class UniqueViolation extends Error {
  override readonly name = "UniqueViolation";
}

/** Returns a subquery with the numbers of a list. */
export function numbers(list: readonly number[]): Sql {
  return dialect.values(JSON.stringify(list), "number");
}
