/** Kinds of trouble, each as the end of the sentence "feat-dev needs a person: …"; every other kind is `other`. */
export const TROUBLES = {
  decision: "the issue leaves a decision to you",
  requirements: "the issue is unclear or contradicts itself",
  access: "it lacks access to something",
  environment: "its environment is broken or incomplete",
  security: "something unsafe was requested or found",
  limit: "it used up a limit",
  expired: "it waited too long",
  evidence: "its work lacks the required proof",
  evaluator: "the evaluator does not accept its work",
  checks: "a check keeps failing",
  setup: "its environment cannot be set up",
  provider: "the model provider refuses the key",
  disk: "the disk is nearly full",
  no_progress: "it makes no progress",
  replanning: "its task needs replanning",
  review_deadlock: "reviews rejected its work too often",
  ended_without_report: "it stopped without a report",
} as const;

type Category = keyof typeof TROUBLES;

export const ESCALATION_CATEGORIES: readonly (Category | "other")[] = [
  ...Object.keys(TROUBLES).filter((key): key is Category => Object.hasOwn(TROUBLES, key)),
  "other",
];

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

/** Earlier versions named the kind of trouble by a second label, such as `escalation:decision`. */
const OLD_PREFIX = "escalation:";

function known(category: string): Category | "other" | undefined {
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

/** Returns what kind of trouble it is, in the words of `TROUBLES`; null where its category says nothing. */
export function troubleOf(category: string | null): string | null {
  const one = known(category ?? "");
  return one === undefined || one === "other" ? null : TROUBLES[one];
}

/**
 * Returns true for the configured label of issues that wait for a person; GitHub treats labels that differ only in case
 * as one.
 */
export function isEscalationLabel(label: string, configured: string): boolean {
  return label.toLowerCase() === configured.toLowerCase();
}

/** Returns true for a label by which an earlier version named the kind of trouble. */
export function isOldCategoryLabel(label: string): boolean {
  const name = label.toLowerCase();
  return ESCALATION_CATEGORIES.some((category) => name === `${OLD_PREFIX}${category}`);
}
