import { closed } from "../conversation/untrusted.ts";
import { safeLine } from "../safe-text/inline.ts";
import { withoutHiddenCharacters } from "../safe-text/without-hidden-characters.ts";

/** Returns a duration for people: `in about 3 min`; never less than one minute. */
export function aboutMinutes(ms: number): string {
  return `in about ${Math.max(1, Math.ceil(ms / 60_000))} min`;
}

export function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

export function inARow(count: number): string {
  return count === 1 ? "once" : `${count} times in a row`;
}

/** Returns a time for people, to the minute: `2025-12-21 22:40 UTC`. `at` = milliseconds since the epoch. */
export function moment(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** The beginnings that a spreadsheet reads as a formula, and runs. */
const FORMULA = /^[=+\-@\t\r]/;

/** Returns one line of RFC 4180, without its end. A text that a spreadsheet would run gets a `'` before it. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return cells.map(cell).join(",");
}

function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return safe !== value || /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Characters for the note that says what is missing. */
const NOTE = 40;

/** Returns the beginning of a text of more than `most` (at least 60) characters, and how much is missing. */
export function cutHead(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = Math.max(0, most - NOTE);
  return closed(`${text.slice(0, kept).toWellFormed()}… (cut: ${text.length - kept} characters)`);
}

/** Returns the end of a text, such as a log, and how much before it is missing. */
export function cutTail(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = Math.max(0, most - NOTE);
  return `(cut: ${text.length - kept} characters) …${text.slice(text.length - kept).toWellFormed()}`;
}

/** Characters. A longer text is cut. */
const LONGEST = 200;

/**
 * Returns untrusted text for a table cell, a list or a fold: one line of limited length that cannot leave it and
 * mentions nobody.
 */
export function oneLine(text: string): string {
  const flat = text.replace(/\s+/g, " ").trim();
  // Cut first: a cut through Markdown or HTML changes what it means.
  const kept = flat.length > LONGEST ? `${flat.slice(0, LONGEST - 1)}…` : flat;
  return safeLine(kept).replace(/(?<!\\)\\*\|/g, "\\|");
}

/** Returns untrusted text as a code block that nothing in it can end, without invisible characters. */
export function fenced(given: string): string {
  const text = withoutHiddenCharacters(given);
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** Returns `3 min`, `2 h 5 min`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return rest === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${rest} min`;
}

export function mentions(logins: readonly string[]): string {
  return logins.length === 0 ? "" : ` ${logins.map((login) => `@${login.replace(/^@/, "")}`).join(" ")}`;
}
