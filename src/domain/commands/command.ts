import { printableLine } from "../messages/printable.ts";
import { shownLines } from "../status/shown-lines.ts";
import { authoredLines } from "./authored-lines.ts";
import { editDistance } from "./edit-distance.ts";

/** The comment commands: `/flotilla <verb>` or `@<app> <verb>` as the first line of a comment. */
export const VERBS = [
  "status",
  "why",
  "start",
  "set",
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
  "backport",
  "review",
  "fix",
  "checkpoint",
  "abort",
] as const;
export type Verb = (typeof VERBS)[number];

/** Verbs whose remaining text, including later lines, goes to the agent. */
const WITH_WORDS: readonly Verb[] = ["answer", "retry", "resume", "continue", "review", "fix"];

export type Command =
  | {
      readonly verb: Verb;
      readonly rest: string;
      /** The lines below a start, for the agent that it starts, or below an approval, for the agent that asked. */
      readonly below?: string;
    }
  /** An unknown verb, with the nearest known one; null when none is near. */
  | { readonly verb: "unknown"; readonly given: string; readonly nearest: Verb | null }
  /** A verb on a later line, where it is not carried out. */
  | { readonly verb: "late"; readonly given: Verb };

export interface ReadComment {
  readonly command: Command | null;
  readonly mention: boolean;
}

/**
 * Parses a comment as GitHub shows it. A command is the first line outside code, quotes and HTML comments: `/flotilla`,
 * or `@slug` followed by a verb, at its start. A mention without a verb is a message, never an unknown command.
 */
export function readComment(body: string, slug: string): ReadComment {
  // Most comments do not concern Flotilla, and may be as long as GitHub allows: this check costs one pass.
  const low = body.toLowerCase();
  if (!low.includes("/flotilla") && !low.includes(`@${slug.toLowerCase()}`))
    return { command: null, mention: false };
  const written = body.split(/\r\n|\n|\r/);
  return { command: commandIn(written, slug), mention: isMentioned(written, slug) };
}

function commandIn(written: readonly string[], slug: string): Command | null {
  const slash = /^ {0,3}\/flotilla(?:[ \t]+(\S+)[ \t]*(.*))?$/is;
  const named = new RegExp(`^ {0,3}@${escape(slug)}(?:\\[bot\\])?[ \\t,:]+([a-z]+)\\b[ \\t]*(.*)$`, "is");
  const saidIn = (index: number): RegExpExecArray | null => {
    const line = String(written[index]).replaceAll("\t", " ").trimEnd();
    const match = slash.exec(line) ?? withoutMessage(named.exec(line));
    // Invisible characters must not be part of a command.
    return match !== null && printableLine(line) === line ? match : null;
  };
  // The Markdown parser takes longer than a check of each line.
  if (!written.some((_, index) => saidIn(index) !== null)) return null;
  const { first, plain } = shownLines(written);
  const match = first === null ? null : saidIn(first);
  const command = first === null || match === null ? null : commandOf(match, written.slice(first + 1));
  if (command !== null) return command;
  const late = plain.flatMap((index) => verbOf(saidIn(index)?.[1]?.toLowerCase()) ?? [])[0];
  return late === undefined ? null : { verb: "late", given: late };
}

/** Verbs that other words turn into a sentence, unless these words are only polite. */
const ALONE: readonly string[] = [
  "status",
  "why",
  "pause",
  "complete",
  "cancel",
  "release",
  "review",
  "fix",
] satisfies Verb[];
const POLITE = /^[\s.,!]*(?:(?:now|please|thanks|thank you)[\s.,!]*)*$/i;

/** What makes a message of the words after these verbs. */
const PROSE: Readonly<Record<string, RegExp>> = { set: /^[^\s=]+(?:\s|$)/, backport: /^\S+\s+\S/ };

/**
 * Treats `@flotilla set the width to 5` and `@flotilla release notes are missing` as messages, `@flotilla set ttl=8h`
 * and `@flotilla release` as commands.
 */
function withoutMessage(match: RegExpExecArray | null): RegExpExecArray | null {
  const [, given = "", rest = ""] = match ?? [];
  const verb = given.toLowerCase();
  const prose = PROSE[verb]?.test(rest) ?? (ALONE.includes(verb) && !POLITE.test(rest));
  return prose ? null : match;
}

/** Returns null for a mention before other words. */
function commandOf([line, word, rest = ""]: RegExpExecArray, below: readonly string[]): Command | null {
  if (word === undefined) return { verb: "status", rest: "" };
  const given = word.toLowerCase();
  const verb = verbOf(given);
  if (verb === undefined)
    return line.trim().startsWith("/") ? { verb: "unknown", given, nearest: nearestVerb(given) } : null;
  const words = below.join("\n").trim();
  if ((verb === "start" || verb === "approve") && words !== "")
    return { verb, rest: rest.trim(), below: words };
  const after = WITH_WORDS.includes(verb) ? [rest, ...below].join("\n") : rest;
  return { verb, rest: after.trim() };
}

function isMentioned(written: readonly string[], slug: string): boolean {
  const mentioned = new RegExp(`(^|[^\\w/@.-])@${escape(slug)}(?![\\w-])`, "i");
  return authoredLines(written).some((line) => mentioned.test(line));
}

function verbOf(given: string | undefined): Verb | undefined {
  return VERBS.find((known) => known === given);
}

/** Characters. A longer word has no near verb, and the distance costs the product of both lengths. */
const LONGEST_NEAR = 20;

function nearestVerb(given: string): Verb | null {
  if (given.length > LONGEST_NEAR) return null;
  const ranked = VERBS.map((verb) => ({ verb, distance: editDistance(given, verb) })).toSorted(
    (left, right) => left.distance - right.distance,
  );
  const best = ranked[0];
  return best !== undefined && best.distance <= 2 ? best.verb : null;
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
