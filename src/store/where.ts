import { type Expression, type SqlBool, sql } from "kysely";
import type { Codec } from "./codec.ts";

/** The port's `Where` as conditions: equality, or any of the values of an array. */
export function conditions<R>(codec: Codec<R>, where: object): Expression<SqlBool>[] {
  return Object.entries(where).map(([field, wanted]: [string, unknown]) => {
    if (!Array.isArray(wanted)) return equals(codec, field, wanted);
    const either = wanted.map((value: unknown) => equals(codec, field, value));
    return either.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`(${sql.join(either, sql` or `)})`;
  });
}

function equals<R>(codec: Codec<R>, field: string, wanted: unknown): Expression<SqlBool> {
  const value = codec.comparable(field, wanted);
  return value === null
    ? sql<SqlBool>`${sql.ref(field)} is null`
    : sql<SqlBool>`${sql.ref(field)} = ${value}`;
}
