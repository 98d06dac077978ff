import { wordsOf } from "../decisions/rules.ts";
import type { DecisionRow } from "./rows.ts";

/** A decision as people read it, each part on one line: what was decided, why, and what a person can do next. */
export interface DecisionText {
  readonly what: string;
  readonly why: string;
  readonly next: string;
}

/** Returns the text of a decision, the same wherever it is shown. */
export function decisionText({
  rule,
  reason,
  change,
}: Pick<DecisionRow, "rule" | "reason" | "change">): DecisionText {
  const { what, next } = wordsOf(rule);
  return { what, why: flat(reason), next: flat(change ?? next) };
}

/** Returns untrusted text on one line. */
function flat(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
