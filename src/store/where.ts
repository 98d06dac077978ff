import { type Expression, type SqlBool, sql } from "kysely";
import { z } from "zod";
import type { Codec } from "./codec.ts";

const range = z.union([z.strictObject({ below: z.number() }), z.strictObject({ above: z.number() })]);

/** The port's `Where` as conditions: equality, any of the values of an array, or a range. */
export function conditions<R>(codec: Codec<R>, where: object): Expression<SqlBool>[] {
  return Object.entries(where).map(([field, wanted]: [string, unknown]) => {
    if (!Array.isArray(wanted)) return one(codec, field, wanted);
    const either = wanted.map((value: unknown) => one(codec, field, value));
    return either.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`(${sql.join(either, sql` or `)})`;
  });
}

function one<R>(codec: Codec<R>, field: string, wanted: unknown): Expression<SqlBool> {
  const within = range.safeParse(wanted);
  if (within.success)
    return "below" in within.data
      ? sql<SqlBool>`${sql.ref(field)} < ${within.data.below}`
      : sql<SqlBool>`${sql.ref(field)} > ${within.data.above}`;
  const value = codec.comparable(field, wanted);
  return value === null
    ? sql<SqlBool>`${sql.ref(field)} is null`
    : sql<SqlBool>`${sql.ref(field)} = ${value}`;
}
