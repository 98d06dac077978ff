import type { WakeRow } from "../kernel/rows.ts";
import { cutHead, duration } from "../messages/format.ts";
import { wakeLine } from "./prompts.ts";

/** Characters of a whole wake brief, and of the part about the wakes. */
const MOST_BRIEF = 8000;
const MOST_WAKES = 3000;

/**
 * Returns the first message after a sleep: what woke the agent, how long it slept, and `news`, the sections of what is
 * new, the most important first. At most 8,000 characters; a section without room is cut or left out, and the brief
 * says so.
 */
export function wakeBrief(options: {
  wakes: readonly Pick<WakeRow, "reason" | "detail">[];
  sleptMs: number | null;
  branch: string | null;
  pull: number | null;
  news: readonly string[];
}): string {
  const slept = options.sleptMs === null ? "" : ` You slept ${duration(options.sleptMs)}.`;
  const ending = [
    options.branch === null
      ? null
      : `Your branch is \`${options.branch}\`; look at your files before you continue.`,
    options.pull === null ? null : `Your pull request is #${options.pull}.`,
    "Continue with the issue. End with exactly one of your reports.",
  ]
    .filter((line) => line !== null)
    .join("\n");
  const beginning = [
    `You are awake again.${slept}`,
    ...(options.wakes.length === 0 ? [] : [wokenBy(options.wakes)]),
  ].join("\n\n");
  return [beginning, ...bounded(options.news, MOST_BRIEF - beginning.length - ending.length), ending].join(
    "\n\n",
  );
}

/** Returns the wakes; each keeps at least its beginning, with its author and link. */
function wokenBy(wakes: readonly Pick<WakeRow, "reason" | "detail">[]): string {
  const shown = wakes.slice(0, 10);
  const each = Math.floor(MOST_WAKES / shown.length);
  const more = wakes.length - shown.length;
  return [
    ...shown.map((wake) => cutHead(wakeLine(wake), each)),
    ...(more === 0 ? [] : [`- (${more} more; read the issue)`]),
  ].join("\n");
}

const LEFT_OUT = "(There is more news than fits here: read your issue and your pull request.)";

/**
 * Returns the parts that fit into `room` characters, each with two for the blank line between; a note says what is left
 * out.
 */
export function bounded(parts: readonly string[], room: number): readonly string[] {
  const fit: string[] = [];
  let left = room - LEFT_OUT.length - 4;
  for (const part of parts) {
    if (left < part.length + 2) {
      // A shorter part would say nothing useful.
      return [...fit, ...(left > 300 ? [cutHead(part, left - 2)] : []), LEFT_OUT];
    }
    fit.push(part);
    left -= part.length + 2;
  }
  return fit;
}
