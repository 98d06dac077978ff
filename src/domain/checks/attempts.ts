/** A failure that an agent was asked to fix: one for each commit and check. */
export interface CheckAttempt {
  readonly taskId: number;
  readonly commit: string;
  readonly check: string;
  readonly fingerprint: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** How often an agent may try to fix one failure; then a person is asked. */
const SAME_FAILURE_ATTEMPTS = 3;

/**
 * What follows a failure of the task's own: an attempt, nothing for a commit that had its attempt, or a question to a
 * person.
 */
export type AttemptVerdict =
  | { readonly kind: "attempt"; readonly nth: number }
  | { readonly kind: "spent" }
  | { readonly kind: "give_up"; readonly why: string };

/**
 * Decides about the `failures` that the commit itself causes. A commit gets one attempt, the same failure over several
 * commits `SAME_FAILURE_ATTEMPTS`, and a task as many as its role has wakes (`max_iterations`).
 */
export function nextAttempt(
  attempts: readonly Pick<CheckAttempt, "commit" | "check" | "fingerprint">[],
  given: {
    readonly commit: string;
    readonly failures: readonly Pick<CheckAttempt, "check" | "fingerprint">[];
    readonly maxIterations: number;
  },
): AttemptVerdict {
  const { commit, failures, maxIterations } = given;
  if (attempts.some((one) => one.commit === commit)) return { kind: "spent" };
  const counted = failures.map(({ check, fingerprint }) => {
    const same = attempts.filter((one) => one.check === check && one.fingerprint === fingerprint);
    return { check, before: new Set(same.map((one) => one.commit)).size };
  });
  const worst = counted.find(({ before }) => before >= SAME_FAILURE_ATTEMPTS);
  if (worst !== undefined)
    return {
      kind: "give_up",
      why: `the check ${worst.check} fails in the same way after ${worst.before} attempts to fix it`,
    };
  const commits = new Set(attempts.map((one) => one.commit)).size;
  if (commits >= maxIterations)
    return { kind: "give_up", why: `required checks failed on ${commits} commits in a row (max_iterations)` };
  return { kind: "attempt", nth: 1 + Math.max(0, ...counted.map(({ before }) => before)) };
}
