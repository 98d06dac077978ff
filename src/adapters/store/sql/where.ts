import { type Expression, type SqlBool, sql } from "kysely";
import type { Codec } from "./codec.ts";
import { dialect } from "./dialect.ts";
import type { SqlValue } from "./schema.ts";

/** The maximum number of values that are separate parts of an expression. */
const MOST_PARTS = 20;

/** Converts the port's `Where` to conditions: equality, any value of an array, or a range. */
export function conditions<R>(codec: Codec<R>, where: object): Expression<SqlBool>[] {
  return Object.entries(where).map(([field, wanted]: [string, unknown]) => {
    if (!Array.isArray(wanted)) return one(codec, field, wanted);
    if (isLong(wanted))
      return sql<SqlBool>`${sql.ref(field)} in ${dialect.values(jsonOf(codec, field, wanted), typeOf(wanted))}`;
    const either = wanted.map((value: unknown) => one(codec, field, value));
    return either.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`(${sql.join(either, sql` or `)})`;
  });
}

function one<R>(codec: Codec<R>, field: string, wanted: unknown): Expression<SqlBool> {
  const column = sql.ref(field);
  if (typeof wanted === "object" && wanted !== null) {
    if ("below" in wanted) return sql<SqlBool>`${column} < ${codec.comparable(field, wanted.below)}`;
    if ("above" in wanted) return sql<SqlBool>`${column} > ${codec.comparable(field, wanted.above)}`;
  }
  const value = codec.comparable(field, wanted);
  return value === null ? sql<SqlBool>`${column} is null` : sql<SqlBool>`${column} = ${value}`;
}

/** Returns whether a condition allows no values, so that nothing can match. */
export function matchesNothing(where: object): boolean {
  return Object.values(where).some((wanted) => Array.isArray(wanted) && wanted.length === 0);
}

/** Returns the condition without its values; conditions with equal results have the same SQL text. */
export function shapeOf(where: object): string {
  return Object.entries(where)
    .map(
      ([field, wanted]: [string, unknown]) =>
        `${field}:${isLong(wanted) ? "long" : Array.isArray(wanted) ? wanted.map(sort).join("|") : sort(wanted)}`,
    )
    .join();
}

/** Returns the condition's values, in order. */
export function valuesIn<R>(codec: Codec<R>, where: object): readonly SqlValue[] {
  return Object.entries(where).flatMap(([field, wanted]: [string, unknown]) =>
    isLong(wanted)
      ? [jsonOf(codec, field, wanted)]
      : [wanted]
          .flat()
          .flatMap((value: unknown) => (value === null ? [] : codec.comparable(field, bound(value)))),
  );
}

/**
 * Returns whether the values become one parameter. Some databases refuse expressions of more than a thousand parts,
 * and this way their number does not change the text.
 */
function isLong(wanted: unknown): boolean {
  return (
    Array.isArray(wanted) &&
    wanted.length > MOST_PARTS &&
    wanted.every((value) => typeof value === "string" || typeof value === "number")
  );
}

function typeOf([first]: readonly unknown[]): "number" | "text" {
  return typeof first === "number" ? "number" : "text";
}

function jsonOf<R>(codec: Codec<R>, field: string, values: unknown): string {
  return JSON.stringify([values].flat().map((value: unknown) => codec.comparable(field, value)));
}

function sort(wanted: unknown): string {
  if (wanted === null) return "null";
  return typeof wanted === "object" ? Object.keys(wanted).join() : "=";
}

function bound(wanted: unknown): unknown {
  if (typeof wanted !== "object" || wanted === null) return wanted;
  return "below" in wanted ? wanted.below : "above" in wanted ? wanted.above : wanted;
}
