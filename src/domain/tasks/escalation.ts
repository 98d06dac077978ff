/** Kinds of trouble that have a label of their own; every other kind is `other`. */
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

/** Every command in this text works, whether the coder waits for a person or had completed. */
export const OUT_OF_DEADLOCK =
  "`/flotilla resume [rounds]` lets its coder continue, `/flotilla retry` starts a new attempt";

/** Categories that an agent may choose; only the host assigns the others. */
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

/**
 * Returns the category of an agent's own report: `other` for one of the host's, so that no agent speaks for the host.
 */
export function agentCategory(given: string): string {
  const category = known(given);
  return category === undefined || OF_AGENTS.includes(category) ? given : "other";
}

/** Returns the label that names the kind of trouble beside the escalation label: `escalation:decision`. */
export function categoryLabel(category: string | null): string {
  return `${PREFIX}${known(category ?? "") ?? "other"}`;
}

/**
 * Returns true for the configured label of issues that wait for a person; GitHub treats labels that differ only in case
 * as one.
 */
export function isEscalationLabel(label: string, configured: string): boolean {
  return label.toLowerCase() === configured.toLowerCase();
}

/** Returns true for a category label, whoever set it. */
export function isCategoryLabel(label: string): boolean {
  return label.toLowerCase().startsWith(PREFIX);
}
