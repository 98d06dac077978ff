import { CompiledQuery, type Kysely } from "kysely";
import type { Schema, SqlValue } from "./schema.ts";

/** Texts by dialect, then by shape. A shape names its table and everything else that its text depends on, so there are few. */
const kept = new Map<unknown, Map<string, string>>();

/**
 * The rows of a query that is made very often: it is built for the first one of its shape, whose text all others have
 * too. Building one takes longer than the database needs to answer it. `values` in the order of the query's parameters.
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
  // As Kysely does with what it builds: one of the plugins refuses a query that would wait for itself.
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
