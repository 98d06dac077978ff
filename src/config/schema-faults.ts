import type { z } from "zod";
import { nearest, suggestion } from "./nearest.ts";
import { keysOf, printPath, schemaAt, valueAt, type WrittenSchema } from "./written-schema.ts";

/**
 * Returns zod's issues as sentences `<file>: <path>: <fault and remedy>`. Never quotes values of the
 * document, because a key may have been pasted in the wrong place.
 */
export function schemaFaults(
  error: z.ZodError,
  context: { readonly file: string; readonly document: unknown; readonly schema: WrittenSchema },
): string[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys") {
      const known = keysOf(schemaAt(context.schema, issue.path)).map(([key]) => key);
      return issue.keys.map((key) =>
        sentence(context.file, [...issue.path, key], `unknown key.${suggestion(key, known)}`),
      );
    }
    if (issue.code === "invalid_key") {
      return [sentence(context.file, issue.path, issue.issues[0]?.message ?? issue.message)];
    }
    if (issue.code === "invalid_value") {
      const known = issue.values.map(String);
      const value = valueAt(context.document, issue.path);
      const near = typeof value === "string" ? nearest(value, known) : undefined;
      const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
      const said = `${value === undefined ? "is missing; " : ""}write ${known.join(" or ")}.${hint}`;
      return [sentence(context.file, issue.path, said)];
    }
    if (issue.code === "invalid_type" && issue.message.startsWith("Invalid input")) {
      const written = schemaAt(context.schema, issue.path)?.type;
      const expected = written === "integer" ? "int" : issue.expected;
      return [sentence(context.file, issue.path, typeFault(expected, valueAt(context.document, issue.path)))];
    }
    return [sentence(context.file, issue.path, boundFault(issue) ?? issue.message)];
  });
}

/** Returns the fault of a bound without its own message in the schema; null for another issue. */
function boundFault(issue: z.core.$ZodIssue): string | null {
  if (issue.code === "too_small" && issue.message.startsWith("Too small"))
    return `write ${counted(issue.origin, issue.minimum, issue.inclusive === false ? "more than" : "at least")}.`;
  if (issue.code === "too_big" && issue.message.startsWith("Too big"))
    return `write ${counted(issue.origin, issue.maximum, issue.inclusive === false ? "less than" : "at most")}.`;
  return null;
}

function counted(origin: string, bound: number | bigint, how: string): string {
  if (origin === "string") return `${how} ${bound} ${bound === 1 ? "character" : "characters"}`;
  if (origin === "array" || origin === "set") return `a list of ${how} ${bound}`;
  return `a number of ${how} ${bound}`;
}

function sentence(file: string, path: readonly PropertyKey[], text: string): string {
  return path.length === 0 ? `${file}: ${text}` : `${file}: ${printPath(path)}: ${text}`;
}

function typeFault(expected: string, value: unknown): string {
  const wanted = WANTED.get(expected) ?? expected;
  if (value === undefined) return `is missing; write ${wanted}.`;
  if (value === null) return `is empty; write ${wanted}, or leave the key out.`;
  if (typeof value === "number" && !Number.isFinite(value)) return `is not a finite number; write ${wanted}.`;
  const got = Array.isArray(value) ? "a list" : (WANTED.get(typeof value) ?? typeof value);
  return `is ${got}; write ${wanted}.`;
}

const WANTED = new Map([
  ["string", "text"],
  ["number", "a number"],
  ["int", "a whole number"],
  ["boolean", "true or false"],
  ["array", "a list"],
  ["object", "a mapping of keys"],
  ["record", "a mapping of names"],
]);
