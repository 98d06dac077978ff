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

/** The answer to `/flotilla why`. */
export function whyComment(decisions: readonly DecisionRow[], now: number): string {
  if (decisions.length === 0) return "Nothing was held back or refused on this issue so far.";
  return [
    "Decisions on this issue, the latest first:",
    "",
    ...explanation(decisions, now).map((line) => `- ${line}`),
  ].join("\n");
}
