import type { JsonSchema } from "./compile.ts";
import { schemas } from "./operations.ts";

/** `full`: every described field with a value. `bare`: only what the description requires, null where it may be null. */
export type Fullness = "full" | "bare";

/** Far ahead, since tokens end by it. */
const MOMENT = "2036-01-01T11:00:00Z";
const FORMATS: Readonly<Record<string, string>> = {
  "date-time": MOMENT,
  uri: "https://github.test/repos/octo/shop",
  email: "octocat@github.test",
  "repo.nwo": "octo/shop",
};

/** Returns one answer of the schema, or, where it has alternatives, one of each. */
export function generate(schema: JsonSchema, fullness: Fullness): readonly unknown[] {
  return alternatives(schema).map((one) => valueOf(one, fullness, []));
}

function alternatives(schema: JsonSchema): readonly JsonSchema[] {
  const any = schema["oneOf"] ?? schema["anyOf"];
  if (isList(any)) return any.flatMap(alternatives);
  const name = nameOf(schema);
  const named = name === undefined ? undefined : schemaOf(name);
  return named !== undefined && (isList(named["oneOf"]) || isList(named["anyOf"]))
    ? alternatives(named)
    : [schema];
}

/** `within` = names of the schemas around it, by which one that contains itself comes to an end. */
function valueOf(schema: JsonSchema, fullness: Fullness, within: readonly string[]): unknown {
  if (schema["nullable"] === true && fullness === "bare") return null;
  const name = nameOf(schema);
  if (name !== undefined) return valueOf(schemaOf(name), fullness, [...within, name]);
  const [first] = alternatives(schema);
  if (first !== undefined && first !== schema) return valueOf(first, fullness, within);
  if (isList(schema["allOf"]))
    return Object.assign({}, ...schema["allOf"].map((part) => valueOf(part, fullness, within)));
  if (Array.isArray(schema["enum"])) return schema["enum"][0];
  switch (schema["type"]) {
    case "string":
      return FORMATS[String(schema["format"])] ?? "text";
    case "integer":
    case "number":
      return Math.max(1, Number(schema["minimum"] ?? 1));
    case "boolean":
      return true;
    case "array":
      return alternatives(asSchema(schema["items"]))
        .filter((item) => !endless(item, within))
        .map((item) => valueOf(item, fullness, within));
    default:
      return objectOf(schema, fullness, within);
  }
}

function objectOf(schema: JsonSchema, fullness: Fullness, within: readonly string[]): unknown {
  const required = new Set<unknown>(Array.isArray(schema["required"]) ? schema["required"] : []);
  const properties = Object.entries(asSchema(schema["properties"] ?? {})).flatMap(([key, value]) => {
    const property = asSchema(value);
    const wanted = required.has(key) || (fullness === "full" && !endless(property, within));
    if (!wanted) return [];
    // Some moments and states are described as any text.
    const known = key.endsWith("_at") ? MOMENT : key === "state" ? "open" : undefined;
    const anyText =
      property["type"] === "string" && property["enum"] === undefined && property["nullable"] !== true;
    return [[key, anyText && known !== undefined ? known : valueOf(property, fullness, within)] as const];
  });
  const more = schema["additionalProperties"];
  const other =
    typeof more === "object" && more !== null ? [["other", valueOf(asSchema(more), fullness, within)]] : [];
  return Object.fromEntries([...properties, ...other]);
}

function endless(schema: JsonSchema, within: readonly string[]): boolean {
  const name = nameOf(schema);
  return name !== undefined && (within.includes(name) || within.length > 4);
}

function nameOf(schema: JsonSchema): string | undefined {
  const reference = schema["$ref"];
  return typeof reference === "string" ? reference.replace("#/components/schemas/", "") : undefined;
}

function schemaOf(name: string): JsonSchema {
  return asSchema(schemas[name]);
}

function isList(value: unknown): value is readonly JsonSchema[] {
  return Array.isArray(value);
}

function asSchema(value: unknown): JsonSchema {
  return Object.fromEntries(Object.entries(Object(value)));
}
