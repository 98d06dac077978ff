import { CompiledQuery, type Kysely } from "kysely";
import type { Schema, SqlValue } from "../tables/schema.ts";

/** Texts by shape. A shape names its table and everything else that its text depends on, so that there are few. */
const texts = new Map<string, string>();

/**
 * The rows of a query that is made very often: it is built for the first one of its shape, whose text all others have
 * too. Building one takes longer than SQLite needs to answer it. `values` in the order of the query's parameters.
 */
export async function keptRows<R>(
  db: Kysely<Schema>,
  shape: string,
  values: readonly SqlValue[],
  build: () => CompiledQuery<R>,
): Promise<readonly R[]> {
  const text = texts.get(shape) ?? keep(shape, values, build());
  const query: CompiledQuery<R> = CompiledQuery.raw(text, [...values]);
  // As Kysely does with what it builds: one of the plugins refuses a query that would wait for itself.
  db.getExecutor().transformQuery(query.query, query.queryId);
  const { rows } = await db.executeQuery<R>(query);
  return rows;
}

function keep(shape: string, values: readonly SqlValue[], { sql, parameters }: CompiledQuery): string {
  if (parameters.length !== values.length || parameters.some((value, index) => value !== values[index]))
    throw new Error(`the values of ${shape} are not those of its query: ${sql}`);
  texts.set(shape, sql);
  return sql;
}
