import { z } from "zod";

/** A zod schema as it is written by people: JSON Schema of its input, with descriptions, defaults and examples. */
export type WrittenSchema = z.core.JSONSchema.BaseSchema;

/** The written form of a schema. */
export function writtenSchema(schema: z.ZodType): WrittenSchema {
  return z.toJSONSchema(schema, { io: "input" });
}

/** The keys of an object and their schemas, in order; of a record or a leaf none. */
export function keysOf(schema: WrittenSchema | undefined): readonly (readonly [string, WrittenSchema])[] {
  return Object.entries(schema?.properties ?? {}).filter((entry): entry is [string, WrittenSchema] => {
    return typeof entry[1] === "object";
  });
}

/** The schema of any value of a record, or of any item of a list. */
export function valueSchema(schema: WrittenSchema | undefined): WrittenSchema | undefined {
  const { additionalProperties, items } = schema ?? {};
  if (typeof additionalProperties === "object") return additionalProperties;
  return typeof items === "object" && !Array.isArray(items) ? items : undefined;
}

/** The schema at a path below `schema`; undefined where there is none. */
export function schemaAt(schema: WrittenSchema, path: readonly PropertyKey[]): WrittenSchema | undefined {
  let here: WrittenSchema | undefined = schema;
  for (const part of path) {
    if (here === undefined) return undefined;
    here = new Map(keysOf(here)).get(String(part)) ?? valueSchema(here);
  }
  return here;
}

/**
 * Every key with a value of its own, as `[path, schema]`. A mapping of names is one, and so are the keys of its
 * values, with `*` for the name; a mapping that takes no keys is none.
 */
export function leavesOf(path: string, schema: WrittenSchema): readonly (readonly [string, WrittenSchema])[] {
  const keys = keysOf(schema);
  if (keys.length > 0) return keys.flatMap(([key, inner]) => leavesOf(`${path}.${key}`, inner));
  if (schema.properties !== undefined) return [];
  const inner = keysOf(valueSchema(schema)).flatMap(([key, leaf]) => leavesOf(`${path}.*.${key}`, leaf));
  return [[path, schema], ...inner];
}

/** `a.b[0].c`. */
export function printPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) =>
      typeof part === "number" ? `[${part}]` : `${index === 0 ? "" : "."}${String(part)}`,
    )
    .join("");
}

/** True for what a YAML mapping becomes. */
export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at a path of a document, looked up among its own keys only. */
export function valueAt(document: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((here, part) => {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, part)) return undefined;
    const inner: unknown = Reflect.get(here, part);
    return inner;
  }, document);
}
