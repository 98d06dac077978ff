import { editDistance } from "./edit-distance.ts";
import { visibleLines } from "./text/visible-lines.ts";

/** The comment commands of this version. `/flotilla <verb>` or `@<app> <verb>` at the start of a line. */
export const VERBS = [
  "status",
  "why",
  "start",
  "pause",
  "resume",
  "continue",
  "budget",
  "approve",
  "deny",
  "complete",
  "cancel",
  "retry",
  "answer",
  "release",
  "checkpoint",
  "abort",
] as const;
export type Verb = (typeof VERBS)[number];

export type Command =
  | { readonly verb: Verb; readonly rest: string }
  /** A verb that does not exist, with the nearest that does, null when none is near. */
  | { readonly verb: "unknown"; readonly given: string; readonly nearest: Verb | null };

export interface ReadComment {
  readonly command: Command | null;
  readonly mention: boolean;
}

/**
 * Reads a comment as Markdown would show it: code, quotes and HTML comments give no commands. The first line that
 * begins with `/flotilla` or `@slug` followed by a verb is the command; for `answer` the rest of the comment belongs
 * to it. A mention without a verb is a message, never an unknown command.
 */
export function readComment(body: string, slug: string): ReadComment {
  const written = body.split(/\r?\n/);
  const lines = visibleLines(written);
  const mentioned = new RegExp(`(^|[^\\w/@.-])@${escape(slug)}(?![\\w-])`, "i");
  const mention = lines.some((line) => mentioned.test(line));
  const slash = /^\s*\/flotilla(?:\s+(\S+)\s*(.*))?$/i;
  const named = new RegExp(`^\\s*@${escape(slug)}(?:\\[bot\\])?[\\s,:]+([a-z]+)\\b\\s*(.*)$`, "i");
  for (const [index, line] of lines.entries()) {
    const said = slash.test(line) ? slash : named;
    // Code in what is said after the verb belongs to it; code before it means that the line begins with something else.
    const match = said.test(line) ? said.exec(String(written[index])) : null;
    if (match === null) continue;
    const [word, rest = ""] = match.slice(1);
    if (word === undefined) return { command: { verb: "status", rest: "" }, mention };
    const given = word.toLowerCase();
    const verb = VERBS.find((known) => known === given);
    if (verb === undefined) {
      if (said === named) continue;
      return { command: { verb: "unknown", given, nearest: nearestVerb(given) }, mention };
    }
    const after = verb === "answer" ? [rest, ...written.slice(index + 1)].join("\n") : rest;
    return { command: { verb, rest: after.trim() }, mention };
  }
  return { command: null, mention };
}

function nearestVerb(given: string): Verb | null {
  const ranked = VERBS.map((verb) => ({ verb, distance: editDistance(given, verb) })).toSorted(
    (left, right) => left.distance - right.distance,
  );
  const best = ranked[0];
  return best !== undefined && best.distance <= 2 ? best.verb : null;
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
