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
  "`/flotilla resume [rounds]` lets its coder continue, `/flotilla retry` starts a new attempt";

/** Those that an agent gives itself; each other known one is the host's finding. */
const OF_AGENTS: readonly string[] = [
  "decision",
  "requirements",
  "access",
  "environment",
  "security",
  "other",
];

const PREFIX = "escalation:";

function known(category: string): (typeof ESCALATION_CATEGORIES)[number] | undefined {
  const given = category
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  return ESCALATION_CATEGORIES.find((one) => one === given);
}

/** What an agent calls its own trouble: a category of the host's is `other`, so that no agent speaks for the host. */
export function agentCategory(given: string): string {
  const category = known(given);
  return category === undefined || OF_AGENTS.includes(category) ? given : "other";
}

/** Returns the label beside the escalation label that says what kind of trouble it is: `escalation:decision`. */
export function categoryLabel(category: string | null): string {
  return `${PREFIX}${known(category ?? "") ?? "other"}`;
}

/** The configured label of issues that wait for a person; GitHub takes labels that differ in case alone for one. */
export function isEscalationLabel(label: string, configured: string): boolean {
  return label.toLowerCase() === configured.toLowerCase();
}

/** One of the labels above, whoever put it. */
export function isCategoryLabel(label: string): boolean {
  return label.toLowerCase().startsWith(PREFIX);
}
