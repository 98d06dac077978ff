import type { Redact } from "../../../domain/access/redact.ts";
import { cleanValue } from "../../../domain/messages/printable.ts";

/** Returns the value that a statement writes or compares with, without secrets. */
export function redactedValue(value: unknown, redact: Redact): unknown {
  return typeof value === "string" ? redactedText(value, redact) : value;
}

/**
 * Redacts the strings within JSON text one by one, because a pattern that matches across quotes would break
 * the JSON.
 */
function redactedText(text: string, redact: Redact): string {
  const redacted = redact(text);
  if (redacted === text || !/^[[{"]/.test(text)) return redacted;
  const value = parsed(text);
  return value === undefined ? redacted : JSON.stringify(cleanValue(value, redact));
}

/** Parses JSON; undefined for anything else. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
