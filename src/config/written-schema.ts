import { z } from "zod";

/** A zod schema in its written form: JSON Schema of its input, with descriptions, defaults and examples. */
export type WrittenSchema = z.core.JSONSchema.BaseSchema;

/** Returns the written form of a schema. */
export function writtenSchema(schema: z.ZodType): WrittenSchema {
  return z.toJSONSchema(schema, { io: "input" });
}

/** Returns the keys of an object with their schemas, in order; none for a record or a leaf. */
export function keysOf(schema: WrittenSchema | undefined): readonly (readonly [string, WrittenSchema])[] {
  return Object.entries(schema?.properties ?? {}).filter((entry): entry is [string, WrittenSchema] => {
    return typeof entry[1] === "object";
  });
}

/** Returns the schema of a record's values or of a list's items. */
export function valueSchema(schema: WrittenSchema | undefined): WrittenSchema | undefined {
  const { additionalProperties, items } = schema ?? {};
  if (typeof additionalProperties === "object") return additionalProperties;
  return typeof items === "object" && !Array.isArray(items) ? items : undefined;
}

/** Returns the schema at a path below `schema`; undefined where there is none. */
export function schemaAt(schema: WrittenSchema, path: readonly PropertyKey[]): WrittenSchema | undefined {
  let here: WrittenSchema | undefined = schema;
  for (const part of path) {
    if (here === undefined) return undefined;
    here = new Map(keysOf(here)).get(String(part)) ?? valueSchema(here);
  }
  return here;
}

/**
 * Returns every key that has a value of its own, as `[path, schema]`. Includes a mapping of names, and the
 * keys of its values with `*` for the name; excludes a mapping without keys.
 */
export function leavesOf(path: string, schema: WrittenSchema): readonly (readonly [string, WrittenSchema])[] {
  const keys = keysOf(schema);
  if (keys.length > 0) return keys.flatMap(([key, inner]) => leavesOf(`${path}.${key}`, inner));
  if (schema.properties !== undefined) return [];
  const inner = keysOf(valueSchema(schema)).flatMap(([key, leaf]) => leavesOf(`${path}.*.${key}`, leaf));
  return [[path, schema], ...inner];
}

/** Returns the path as `a.b[0].c`. */
export function printPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) =>
      typeof part === "number" ? `[${part}]` : `${index === 0 ? "" : "."}${String(part)}`,
    )
    .join("");
}

/** Returns whether the value comes from a YAML mapping. */
export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value at a path of a document; reads own keys only. */
export function valueAt(document: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((here, part) => {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, part)) return undefined;
    const inner: unknown = Reflect.get(here, part);
    return inner;
  }, document);
}
