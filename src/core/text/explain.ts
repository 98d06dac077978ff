import { type Hold, holdEnds, holdText } from "../hold.ts";
import type { DecisionRow } from "../rows.ts";
import { decisionText } from "./decision.ts";
import { duration } from "./messages.ts";

/** Why things were or were not done on an issue, newest first, one line each with what a person can do next. */
export function explanation(decisions: readonly DecisionRow[], now: number): readonly string[] {
  return decisions.map((decision) => {
    const times = decision.count === 1 ? "" : `, ${decision.count} times`;
    const { what, why, next } = decisionText(decision);
    return `${duration(now - decision.lastAt)} ago${times}: ${what}, ${why} (${decision.rule}) → ${next}`;
  });
}

/** What holds the agents of an issue now, one line for each that is held, with what ends it. */
export function holdLines(
  agents: readonly { readonly name: string; readonly holds: readonly Hold[] }[],
): readonly string[] {
  return agents
    .filter(({ holds }) => holds.length > 0)
    .map(({ name, holds }) => `${name} is held: ${holdText(holds)} → ${holdEnds(holds)}`);
}

/** The answer to `/flotilla why`: what holds now, as `holdLines` says it, then what was decided. */
export function whyComment(
  decisions: readonly DecisionRow[],
  now: number,
  held: readonly string[] = [],
): string {
  if (decisions.length + held.length === 0) return "Nothing was held back or refused on this issue so far.";
  return [
    ...listed("Held now:", held),
    ...listed("Decisions on this issue, the latest first:", explanation(decisions, now)),
  ].join("\n\n");
}

function listed(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, lines.map((line) => `- ${line}`).join("\n")];
}
