/** A check of a commit; of several runs with one name, the worst. */
export interface JudgedCheck {
  readonly name: string;
  readonly state: "pending" | "green" | "red";
  /** GitHub's conclusion. */
  readonly conclusion: string;
  /** When the check entered its state, in milliseconds since the epoch; null where GitHub does not say. */
  readonly changedAt: number | null;
  /** The fingerprint of a red check's failure; null where the check reports nothing about it. */
  readonly fingerprint: string | null;
  /** For a red check: the base branch failed in the same way when this failure was examined before. */
  readonly excused: boolean;
  /** Whether a rerun of this run was requested, and when; `refused` = GitHub refused, or cannot be asked. */
  readonly rerun: { readonly state: "asked"; readonly at: number } | { readonly state: "refused" } | null;
}

/** The facts that tell whose failure it is. */
export interface CheckFacts {
  readonly required: readonly string[];
  readonly head: readonly JudgedCheck[];
  /** The checks of the base branch's head. */
  readonly base: readonly Pick<JudgedCheck, "name" | "state" | "conclusion" | "fingerprint">[];
  /** Names of the checks that were green on this commit at any time. */
  readonly wereGreen: ReadonlySet<string>;
  /** Failures that disappeared without a new commit, here or elsewhere, as `flakeKey` writes them. */
  readonly flakes: ReadonlySet<string>;
  /** How often a rerun of each check of this commit was requested. */
  readonly reruns: ReadonlyMap<string, number>;
  /** `checks.flake_reruns`. */
  readonly flakeReruns: number;
  /** GitHub holds runs of this commit until a person approves them. */
  readonly awaitsApproval: boolean;
  /** When the commit began to wait for its checks, and the present time; milliseconds since the epoch. */
  readonly since: number;
  readonly now: number;
}

/** Why a rerun of a red check is requested. */
export type RerunCause = "flake" | "base_mended" | "stopped";

interface Rerun {
  readonly check: string;
  readonly cause: RerunCause;
  /** We cannot request the rerun, or did so without success: a person must. */
  readonly byPerson: boolean;
}

/** The state of a commit's required checks, and whose failure a red one is. */
export type CheckVerdict =
  | { readonly kind: "green" }
  | { readonly kind: "pending"; readonly checks: readonly string[] }
  /** The commit itself fails: the only case that its author must fix. */
  | { readonly kind: "own_failure"; readonly checks: readonly string[] }
  | { readonly kind: "flaky"; readonly reruns: readonly Rerun[] }
  | { readonly kind: "base_red"; readonly checks: readonly string[] }
  | { readonly kind: "awaiting_approval"; readonly checks: readonly string[] }
  | { readonly kind: "no_checks"; readonly checks: readonly string[] };

/** Milliseconds in which a required check appears; after that it needs a person. */
export const APPEARS_WITHIN_MS = 15 * 60_000;

/** Milliseconds that a failure waits for the base branch's own run to end, and for a requested rerun to begin. */
export const PATIENCE_MS = 30 * 60_000;

/** Conclusions that say nothing about the commit: the run was stopped. */
const STOPPED: readonly string[] = ["cancelled", "stale", "startup_failure"];

/** GitHub's conclusion for a run that waits for a person's approval. */
const APPROVAL = "action_required";

export function flakeKey(name: string, fingerprint: string): string {
  return `${name}\n${fingerprint}`;
}

type Finding =
  | { readonly is: "green" | "pending" | "own" | "base" | "approval" | "missing" }
  | { readonly is: "rerun"; readonly cause: RerunCause; readonly byPerson: boolean };

/** Judges the checks of a commit. Its own failures come first: while one exists nothing else needs a wait. */
export function judgeCommit(facts: CheckFacts): CheckVerdict {
  const found = [...new Set(facts.required)].map((name) => ({ name, ...findingOf(name, facts) }));
  const names = (is: Finding["is"]) => found.filter((one) => one.is === is).map(({ name }) => name);
  const own = names("own");
  if (own.length > 0) return { kind: "own_failure", checks: own };
  const reruns = found.flatMap((one) =>
    one.is === "rerun" ? [{ check: one.name, cause: one.cause, byPerson: one.byPerson }] : [],
  );
  if (reruns.length > 0) return { kind: "flaky", reruns };
  const base = names("base");
  if (base.length > 0) return { kind: "base_red", checks: base };
  const approval = names("approval");
  if (approval.length > 0) return { kind: "awaiting_approval", checks: approval };
  const missing = names("missing");
  if (missing.length > 0) return { kind: "no_checks", checks: missing };
  const pending = names("pending");
  return pending.length > 0 ? { kind: "pending", checks: pending } : { kind: "green" };
}

function findingOf(name: string, facts: CheckFacts): Finding {
  const named = facts.head.filter((check) => check.name === name);
  if (named.length === 0) {
    if (facts.awaitsApproval) return { is: "approval" };
    return { is: facts.now - facts.since < APPEARS_WITHIN_MS ? "pending" : "missing" };
  }
  const red = named.find(({ state }) => state === "red");
  if (red !== undefined) return whose(red, facts);
  return { is: named.some(({ state }) => state === "pending") ? "pending" : "green" };
}

/** Returns whose failure a red check is. */
function whose(red: JudgedCheck, facts: CheckFacts): Finding {
  const { name } = red;
  if (red.conclusion === APPROVAL) return { is: "approval" };
  if (red.rerun?.state === "asked" && facts.now - red.rerun.at < PATIENCE_MS) return { is: "pending" };
  const base = facts.base.filter((check) => check.name === name);
  if (base.some((check) => check.state === "red" && failsAlike(check, red))) return { is: "base" };
  const recent = red.changedAt !== null && facts.now - red.changedAt < PATIENCE_MS;
  if (recent && base.some(({ state }) => state === "pending")) return { is: "pending" };
  const byPerson = red.rerun !== null;
  if (red.excused) return { is: "rerun", cause: "base_mended", byPerson };
  const left = facts.flakeReruns > 0 && (byPerson || (facts.reruns.get(name) ?? 0) < facts.flakeReruns);
  // A stopped run is nobody's failure, however often that happens.
  if (STOPPED.includes(red.conclusion)) return { is: "rerun", cause: "stopped", byPerson: byPerson || !left };
  const known = red.fingerprint !== null && facts.flakes.has(flakeKey(name, red.fingerprint));
  return left && (known || facts.wereGreen.has(name))
    ? { is: "rerun", cause: "flake", byPerson }
    : { is: "own" };
}

/** Compares failures by their fingerprints; where either has none, by their conclusions. */
function failsAlike(
  one: Pick<JudgedCheck, "fingerprint" | "conclusion">,
  other: Pick<JudgedCheck, "fingerprint" | "conclusion">,
): boolean {
  return one.fingerprint === null || other.fingerprint === null
    ? one.conclusion === other.conclusion
    : one.fingerprint === other.fingerprint;
}
