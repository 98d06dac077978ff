import { editDistance } from "./edit-distance.ts";

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
 * Reads a comment as Markdown would show it: code spans, fences and quoted lines say nothing. The first line that
 * begins with `/flotilla` or `@slug` followed by a verb is the command; for `answer` the rest of the comment belongs
 * to it. A mention without a verb is a message, never an unknown command.
 */
export function readComment(body: string, slug: string): ReadComment {
  const lines = visibleLines(body);
  const mentioned = new RegExp(`(^|[^\\w/@.-])@${escape(slug)}(?![\\w-])`, "i");
  const mention = lines.some((line) => mentioned.test(line));
  const named = new RegExp(`^\\s*@${escape(slug)}(?:\\[bot\\])?[\\s,:]+([a-z]+)\\b\\s*(.*)$`, "i");
  for (const [index, line] of lines.entries()) {
    const slash = /^\s*\/flotilla(?:\s+(\S+)\s*(.*))?$/i.exec(line);
    const match = slash ?? named.exec(line);
    if (match === null) continue;
    const [word, ...after] = match.slice(1);
    if (word === undefined) return { command: { verb: "status", rest: "" }, mention };
    const given = word.toLowerCase();
    const verb = VERBS.find((known) => known === given);
    if (verb === undefined) {
      if (slash === null) continue;
      return { command: { verb: "unknown", given, nearest: nearestVerb(given) }, mention };
    }
    const first = after.join("").trim();
    const rest = verb === "answer" ? [first, ...lines.slice(index + 1)].join("\n").trim() : first;
    return { command: { verb, rest }, mention };
  }
  return { command: null, mention };
}

/** Lines outside fences and quotes, with code spans blanked. */
function visibleLines(body: string): readonly string[] {
  let fence: string | null = null;
  const seen: string[] = [];
  for (const line of body.split(/\r?\n/)) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence)) fence = null;
    } else if (mark !== undefined) {
      fence = mark;
    } else if (!/^\s{0,3}>/.test(line) && !/^(?: {4}|\t)/.test(line)) {
      seen.push(line.replace(/(`+)(?!`).*?[^`]\1(?!`)/g, " "));
    }
  }
  return seen;
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
