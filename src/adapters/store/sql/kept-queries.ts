import { CompiledQuery, type Kysely } from "kysely";
import type { Schema, SqlValue } from "./schema.ts";

/**
 * The SQL texts by dialect, then by shape. A shape names the table and everything else that the text depends
 * on, so there are few.
 */
const kept = new Map<unknown, Map<string, string>>();

/**
 * Runs a frequent query, building it only for the first of its shape; later ones reuse its text. Building
 * takes longer than the database needs to answer. `values` are in the order of the query's parameters.
 */
export async function keptRows<R>(
  db: Kysely<Schema>,
  shape: string,
  values: readonly SqlValue[],
  build: () => CompiledQuery<R>,
): Promise<readonly R[]> {
  const texts = textsOf(db.getExecutor().adapter.constructor);
  const text = texts.get(shape) ?? textOf(shape, values, build());
  texts.set(shape, text);
  const query: CompiledQuery<R> = CompiledQuery.raw(text, [...values]);
  // Kysely does the same with the queries that it builds: one plugin refuses a query that would wait for
  // itself.
  db.getExecutor().transformQuery(query.query, query.queryId);
  const { rows } = await db.executeQuery<R>(query);
  return rows;
}

function textsOf(dialect: unknown): Map<string, string> {
  const texts = kept.get(dialect) ?? new Map<string, string>();
  kept.set(dialect, texts);
  return texts;
}

function textOf(shape: string, values: readonly SqlValue[], { sql, parameters }: CompiledQuery): string {
  if (parameters.length !== values.length || parameters.some((value, index) => value !== values[index]))
    throw new Error(`the values of ${shape} are not those of its query: ${sql}`);
  return sql;
}
