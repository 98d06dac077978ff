import { pino } from "pino";
import type { Redact } from "../../domain/access/redact.ts";
import { printableLine } from "../../domain/messages/printable.ts";
import type { Log } from "../../domain/ports/log.ts";
import { fieldsHere } from "./log-fields.ts";
import { createTextLine } from "./text-line.ts";

/** The maximum depth of a logged field, which allows for errors with nested causes. */
const DEEPEST = 10;

/** The most characters of a text in a field, which allows for a long stack. What others send can be of any length. */
const LONGEST = 10_000;

/**
 * Writes lines to standard error or to the file of that path, as JSON for programs or as text for people: constant messages, variables as fields, errors
 * with stack and cause. Redacts secrets in every field and message.
 */
export function createLog(
  level: string,
  redact: Redact,
  format: "json" | "text" = "json",
  dest: string | 2 = 2,
): Log {
  const shown = format === "json" ? (line: string) => line : createTextLine();
  const destination = pino.destination({ dest, sync: true });
  const logger = pino(
    {
      level,
      base: null,
      mixin: fieldsHere,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    // People read logs on terminals, too, so control characters that JSON allows are escaped as well.
    { write: (line) => destination.write(`${printableLine(shown(line.trimEnd()))}\n`) },
  );
  const clean = (fields: object): unknown => written(fields, redact);
  return {
    debug: (fields, message) => {
      if (logger.isLevelEnabled("debug")) logger.debug(clean(fields), redact(message));
    },
    info: (fields, message) => logger.info(clean(fields), redact(message)),
    warn: (fields, message) => logger.warn(clean(fields), redact(message)),
    error: (fields, message) => logger.error(clean(fields), redact(message)),
  };
}

/**
 * Returns a field as it is logged: texts redacted, errors as plain objects. `deep` limits recursion into
 * cyclic values.
 */
function written(value: unknown, redact: Redact, deep = DEEPEST): unknown {
  if (typeof value === "string") return shortened(redact(value));
  if (typeof value !== "object" || value === null) return value;
  if (deep === 0) return "…";
  const inside = (one: unknown): unknown => written(one, redact, deep - 1);
  if (value instanceof Error) {
    const { name: type, message, stack, cause } = value;
    return inside({ type, message, stack, ...(cause === undefined ? {} : { cause }) });
  }
  if (Array.isArray(value)) return value.map(inside);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inside(one)]));
}

function shortened(text: string): string {
  return text.length <= LONGEST
    ? text
    : `${text.slice(0, LONGEST)}… ${text.length - LONGEST} characters more`;
}
