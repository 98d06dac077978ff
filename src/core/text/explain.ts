import type { DecisionRow } from "../rows.ts";
import { duration } from "./messages.ts";

/** Why things were or were not done on an issue, newest first, one line each with what would change it. */
export function explanation(decisions: readonly DecisionRow[], now: number): readonly string[] {
  return decisions.map((decision) => {
    const times = decision.count === 1 ? "" : `, ${decision.count} times`;
    const change = decision.change === null ? "" : ` → ${flat(decision.change)}`;
    return `${duration(now - decision.lastAt)} ago${times}: ${flat(decision.reason)} (${decision.rule})${change}`;
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

/** Text of others on one line. */
function flat(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
