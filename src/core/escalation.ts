/** Kinds of trouble that have a label of their own; every other one is `other`. */
export const ESCALATION_CATEGORIES = [
  "decision",
  "requirements",
  "access",
  "environment",
  "security",
  "limit",
  "expired",
  "evidence",
  "evaluator",
  "checks",
  "setup",
  "provider",
  "disk",
  "no_progress",
  "replanning",
  "review_deadlock",
  "ended_without_report",
  "other",
] as const;

/** Rounds of review are used up: see `review.max_cycles`. */
export const DEADLOCK = "review_deadlock";

/** A task that its coder could not do as it was. */
export const REPLANNING = "replanning";

/** Every command in it works, whether the coder waits for a person or had completed. */
export const OUT_OF_DEADLOCK =
  "`/flotilla resume [rounds]` lets its coder go on, `/flotilla retry` starts a new attempt";

const PREFIX = "escalation:";

/** The label beside the escalation label that says what kind of trouble it is: `escalation:decision`. */
export function categoryLabel(category: string | null): string {
  const given = (category ?? "")
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  return `${PREFIX}${ESCALATION_CATEGORIES.find((known) => known === given) ?? "other"}`;
}

/** The configured label of issues that wait for a person; GitHub takes labels that differ in case alone for one. */
export function isEscalationLabel(label: string, configured: string): boolean {
  return label.toLowerCase() === configured.toLowerCase();
}

/** One of the labels above, whoever put it. */
export function isCategoryLabel(label: string): boolean {
  return label.toLowerCase().startsWith(PREFIX);
}
