import { stringify } from "yaml";
import { configSchema } from "../domain/settings/config-schema.ts";
import { schemaLine } from "./published-schema.ts";
import { keysOf, leavesOf, type WrittenSchema, writtenSchema } from "./written-schema.ts";

const HEAD = `${schemaLine("docs/schema/config.json")}
# Flotilla's configuration. Made from the schema in src/domain/settings; docs/configuration.md explains every key.
# Every key may be left out. Each value here is the default, except for project.name, runtime.provider
# and runtime.prices.
# Durations are written 90s, 15m, 2h, 7d. Copy this file to config.yaml and set MODEL_API_KEY.
# Editors read the first line. It names a file of Flotilla's directory: correct the path if you copy this file elsewhere.
`;

/** Returns the text of `config.example.yaml`: every key with its description, and its example or default. */
export function printExample(): string {
  return `${HEAD}\n${printKeys(writtenSchema(configSchema), [])}`;
}

function printKeys(schema: WrittenSchema, path: readonly string[]): string {
  const indent = "  ".repeat(path.length);
  return keysOf(schema)
    .map(([key, inner]) => {
      const here = [...path, key];
      const about = `${indent}# ${inner.description ?? ""}\n`;
      if (path.length === 0 && isUnset(key, inner))
        return `${about}${indent}${key}: {}\n${commented(printKeys(inner, here))}`;
      if (keysOf(inner).length > 0) return `${about}${indent}${key}:\n${printKeys(inner, here)}`;
      // A key that has no effect until it is set.
      if (inner.default === undefined && inner["example"] === undefined) return `${about}${indent}#${key}:\n`;
      return `${about}${indent}${key}:${printValue(inner, indent)}\n`;
    })
    .join(path.length === 0 ? "\n" : "");
}

/** Returns whether a section has no effect until one of its keys is set, which the example must not do. */
function isUnset(key: string, schema: WrittenSchema): boolean {
  return keysOf(schema).length > 0 && leavesOf(key, schema).every(([, leaf]) => leaf.default === undefined);
}

function commented(lines: string): string {
  return lines.replaceAll(/^(?=.)/gm, "#");
}

/** Prints a leaf on its own line, and a mapping of names with one name per line. */
function printValue(schema: WrittenSchema, indent: string): string {
  const value = schema["example"] ?? schema.default;
  if (typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0) {
    const lines = Object.entries(value).map(([name, inner]) => `\n${indent}  ${name}: ${flow(inner)}`);
    return lines.join("");
  }
  return ` ${flow(value)}`;
}

function flow(value: unknown): string {
  return stringify(value, { collectionStyle: "flow", lineWidth: 0, flowCollectionPadding: true }).trimEnd();
}
