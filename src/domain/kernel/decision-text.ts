import { wordsOf } from "../decisions/rules.ts";
import type { DecisionRow } from "./rows.ts";

/** A decision as people read it, each part on one line: what was decided, why, and what a person can do next. */
export interface DecisionText {
  readonly what: string;
  readonly why: string;
  readonly next: string;
}

/** Returns the one text of a decision, wherever it is told. */
export function decisionText({
  rule,
  reason,
  change,
}: Pick<DecisionRow, "rule" | "reason" | "change">): DecisionText {
  const { what, next } = wordsOf(rule);
  return { what, why: flat(reason), next: flat(change ?? next) };
}

/** Returns text of others on one line. */
function flat(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
