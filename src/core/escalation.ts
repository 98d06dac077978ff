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
  "no_progress",
  "replanning",
  "ended_without_report",
  "other",
] as const;

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
