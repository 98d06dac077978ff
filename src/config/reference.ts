import { REFERENCE_ENVIRONMENT, REFERENCE_HEAD } from "./reference-text.ts";
import { configSchema } from "./schema.ts";
import { keysOf, leavesOf, valueSchema, type WrittenSchema, writtenSchema } from "./written-schema.ts";

/** The text of `docs/configuration.md`: every key with type, default and meaning, then the environment. */
export function printReference(): string {
  const sections = keysOf(writtenSchema(configSchema)).map(([key, schema]) => printSection(key, schema));
  return [REFERENCE_HEAD, "## Keys\n", ...sections, REFERENCE_ENVIRONMENT].join("\n");
}

function printSection(key: string, schema: WrittenSchema): string {
  const rows = leavesOf(key, schema);
  if (rows.length === 0) return `### ${key}\n\n${schema.description ?? ""}\n`;
  const about = keysOf(schema).length === 0 ? "" : `${schema.description ?? ""}\n\n`;
  const lines = rows.map(([path, leaf]) => {
    return `| ${code(path)} | ${typeOf(leaf)} | ${defaultOf(leaf)} | ${leaf.description ?? ""} |`;
  });
  return `### ${key}\n\n${about}| key | type | default | meaning |\n|---|---|---|---|\n${lines.join("\n")}\n`;
}

function typeOf(schema: WrittenSchema): string {
  if (schema.enum) return schema.enum.map((value) => code(String(value))).join(", ");
  if (schema.const !== undefined) return code(String(schema.const));
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one)).join(" or ");
  if (schema.format === "duration") return "duration";
  const value = valueSchema(schema);
  if (schema.type === "array") return `list of ${value === undefined ? "values" : typeOf(value)}`;
  return TYPES.get(String(schema.type)) ?? String(schema.type);
}

const TYPES = new Map([
  ["string", "text"],
  ["integer", "whole number"],
  ["boolean", "`true`, `false`"],
  ["object", "mapping"],
]);

function defaultOf(schema: WrittenSchema): string {
  const { default: value } = schema;
  if (value === undefined) return "";
  if (typeof value !== "object" || value === null) {
    return code(typeof value === "string" ? value : JSON.stringify(value));
  }
  const keys = Array.isArray(value) ? value.map(String) : Object.keys(value);
  return keys.length === 0 ? "none" : keys.map(code).join(", ");
}

function code(text: string): string {
  return `\`${text}\``;
}
