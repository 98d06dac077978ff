import { type CheckAttempt, nextAttempt } from "../checks/attempts.ts";
import { checksFailure, checksGivenUp, failedNames } from "../checks/check-failure.ts";
import type { CheckVerdict } from "../checks/check-verdict.ts";
import { notOwnFailure } from "../checks/not-own-failure.ts";
import { type Reviewed, rejectByChecks, setToWork } from "../checks/set-to-work.ts";
import { type ChangeSet, decisionOnly, type Move, mergeChanges, NO_CHANGES } from "../kernel/change-set.ts";
import type { SeenCheck } from "../ports/work-tables.ts";

/** The result of the checks of a commit under review. */
export interface ReviewChecks {
  readonly verdict: CheckVerdict;
  readonly red: readonly (SeenCheck & { readonly jobId: number | null })[];
  readonly commit: string;
  /** Attempts on the task so far. */
  readonly attempts: readonly CheckAttempt[];
  /** `max_iterations` of the coder's role, plus people's grants. */
  readonly maxIterations: number;
  readonly base: string;
  readonly at: number;
}

export interface ReviewChecksChanges {
  readonly changes: ChangeSet;
  /** Attempts to store with it. */
  readonly attempted: readonly CheckAttempt[];
}

/**
 * Rejects a commit that fails by itself and wakes its coder, once a commit; any other failure wakes nobody. The checks
 * of approved work are judged in the merge queue.
 */
export function onReviewChecks(checks: ReviewChecks, given: Reviewed): ReviewChecksChanges {
  const { verdict, commit, base, red } = checks;
  const { task, owner } = given;
  if (verdict.kind !== "own_failure")
    return nothingTried(notOwnFailure(verdict, { commit, base, red, agentId: owner.id }));
  if (task.state !== "READY_FOR_REVIEW") return nothingTried(NO_CHANGES);
  const failed = red.filter(({ name }) => verdict.checks.includes(name));
  const told = failed.map(({ name: check, ...rest }) => ({ check, ...rest }));
  const names = failedNames(told);
  if (owner.state === "ACTIVE")
    return nothingTried(
      decisionOnly("checks_at_work", `${names} on ${commit.slice(0, 10)}, and ${owner.name} is at work`, {
        agentId: owner.id,
      }),
    );
  const next = nextAttempt(checks.attempts, { commit, failures: told, maxIterations: checks.maxIterations });
  if (next.kind !== "attempt")
    return nothingTried(
      givesUp(checks, given, next.kind === "give_up" ? next.why : `${names}, and nothing was changed for it`),
    );
  const at = checks.at;
  const attempted = told.map(({ check, fingerprint }) => ({
    taskId: task.id,
    commit,
    check,
    fingerprint,
    at,
  }));
  const changes = setToWork(given, {
    at,
    reason: `required checks fail: ${names}`,
    wake: { key: `checks:task-${task.id}:${commit}`, reason: "checks" },
    detail: checksFailure(told, next.nth),
  });
  return { changes, attempted };
}

const nothingTried = (changes: ChangeSet): ReviewChecksChanges => ({ changes, attempted: [] });

/**
 * Asks a person when no attempts are left: a sleeper escalates; for finished work a comment calls people, once a
 * commit.
 */
function givesUp({ commit, at }: ReviewChecks, { task, owner, view }: Reviewed, why: string): ChangeSet {
  const decision = decisionOnly("checks_give_up", why, {
    agentId: owner.id,
    change: "look at the check and say on the issue or the pull request what to do differently",
    inputs: { commit },
  });
  if (owner.state === "SLEEPING") {
    const ask: Move = {
      machine: "agent",
      id: owner.id,
      event: {
        type: "ESCALATE",
        at,
        actor: "flotilla",
        reason: why,
        category: "checks",
        question: "What should it do in another way?",
        breaker: null,
      },
    };
    return mergeChanges(decision, { ...NO_CHANGES, moves: [rejectByChecks(task, at, why), ask] });
  }
  if (view.decisions.some(({ rule, reason }) => rule === "checks_give_up" && reason === why)) return decision;
  const body = checksGivenUp({ why, notify: view.settings.escalation.notify });
  return mergeChanges(decision, {
    ...NO_CHANGES,
    effects: [{ kind: "post_comment", name: `checks-${commit}`, body }],
  });
}
