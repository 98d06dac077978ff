import { keepsWork } from "../../domain/access/level.ts";
import { type AgentRecord, isOnPull } from "../../domain/agents/agent-record.ts";
import type { Role } from "../../domain/agents/role.ts";
import { evaluatorFor, storedEvaluation } from "../../domain/evidence/evaluation.ts";
import { missingEvidence } from "../../domain/evidence/evidence.ts";
import type { Missing } from "../../domain/evidence/missing.ts";
import { missingReview } from "../../domain/evidence/review-evidence.ts";
import { concernsTests } from "../../domain/evidence/weakened-tests.ts";
import type { IntentRow, RepositoryRow } from "../../domain/kernel/rows.ts";
import type { WorktreeRef } from "../../domain/ports/worktrees.ts";
import { offersPatch } from "../../domain/tasks/fix-pull.ts";
import type { CheckedIntent } from "../blockers/check-block-report.ts";
import { type CommitChecks, refreshCommit } from "../checks/refresh-commit.ts";
import { baseOfAgent } from "../kernel/base-of.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { taskOf } from "../kernel/find-records.ts";
import { repositoryOf } from "../kernel/repository-of.ts";
import { levelOn } from "../outbox/level-guard.ts";
import { worktreeOf } from "../tasks/worktree-of.ts";
import { gather } from "./gather.ts";
import { judgeTests, type TestsEvidence, type WeakenedTests } from "./judge-tests.ts";
import { type ClaimedCommit, proveCommands } from "./prove-commands.ts";

/**
 * The result for a claim: it lacks evidence, is held for a person because of its tests, waits for checks, needs the
 * evaluator, holds (with the evaluator's confidence where one was asked), or is undecided because the host stops.
 */
export type Judgement =
  | { readonly kind: "lacking"; readonly missing: readonly Missing[] }
  | { readonly kind: "held"; readonly weakened: WeakenedTests }
  | {
      readonly kind: "pending";
      readonly checks: readonly string[];
      readonly commitChecks: CommitChecks;
      readonly approved: boolean;
    }
  | {
      readonly kind: "unevaluated";
      readonly ref: WorktreeRef;
      readonly commit: string;
      readonly approved: boolean;
    }
  | {
      readonly kind: "holds";
      readonly confidence: number | null;
      /** The level keeps all work on this machine, so people have nothing to review. */
      readonly keptHere: boolean;
      /** A person has approved what it does to the tests. */
      readonly approved: boolean;
    }
  | { readonly kind: "undecided" };

/** What a claim asks for: completion or review. */
type Wanted = "completion" | "review";

/** A claim as it was recorded. */
export interface Claim {
  readonly row: IntentRow;
  readonly summary: string;
  readonly wanted: Wanted;
}

/** Returns the claim of an agent's intent; null for an intent that claims nothing. */
export function claimOf({ row, intent }: CheckedIntent): Claim | null {
  if (row === null) return null;
  if (intent?.kind === "report_complete") return { row, summary: intent.summary, wanted: "completion" };
  return intent?.kind === "request_review" ? { row, summary: intent.summary, wanted: "review" } : null;
}

/**
 * Judges a claim by the evidence that its role owes: facts first, then acceptance commands, what the change does to the
 * tests, required checks and the evaluation. A claim for review may have running checks. `signal` null skips the commands, which
 * have been run before.
 */
export async function judge(
  context: EngineContext,
  agent: AgentRecord,
  role: Role,
  { row, summary, wanted, signal }: Claim & { readonly signal: AbortSignal | null },
): Promise<Judgement> {
  const repository = await repositoryOf(context, agent.repositoryId);
  const { commit } = row;
  const settings = context.settingsOf(agent.repositoryId);
  const keptHere = keepsWork(await levelOn(context, repository, agent.issue)) || offersPatch(agent, settings);
  const base = await baseOfAgent(context, repository, agent);
  const facts = await gather(context, agent, role, { repository, base, commit, summary, keptHere });
  const task = (await taskOf(context.store, agent.repositoryId, agent.issue)) ?? null;
  const verdicts = task === null ? [] : await context.store.verdicts.ofTask(task.id);
  const missing = [
    ...missingEvidence(facts),
    ...missingReview(facts, {
      wanted,
      // People review and merge their own pull requests.
      required: settings.review.required && !keptHere && !isOnPull(agent),
      task,
      verdicts,
    }),
  ];
  if (missing.length > 0) return { kind: "lacking", missing };
  const ref = await worktreeOf(context, agent);
  if (role.evidence !== "code" || facts.pull?.merged === true || ref === null || commit === null)
    return { kind: "holds", confidence: null, keptHere, approved: false };
  if (signal !== null) {
    const failed = await proveCommands(context, agent, { intentId: row.id, ref, commit }, signal);
    if (failed === null) return { kind: "undecided" };
    if (failed.length > 0) return { kind: "lacking", missing: failed };
  }
  // Nobody is asked about work that stays on this machine.
  const tests: TestsEvidence =
    keptHere || !facts.changedFiles.some(concernsTests)
      ? { kind: "kept" }
      : await judgeTests(context, agent, {
          intentId: row.id,
          ref,
          commit,
          base,
          approved: facts.allowedPaths,
        });
  if (tests.kind === "denied") return { kind: "lacking", missing: [tests.weakened] };
  if (tests.kind === "held") return { kind: "held", weakened: tests.weakened };
  const approved = tests.kind === "approved";
  // GitHub runs no checks on a commit that was not pushed.
  if (keptHere) return evaluated(context, agent, role, { intentId: row.id, ref, commit, keptHere, approved });
  const since = agent.sleepingSince ?? context.clock.now();
  const checks = await requiredChecks(context, repository, { commit, base, since });
  if (checks.failed.length > 0) return { kind: "lacking", missing: checks.failed };
  if (checks.pending.length > 0 && wanted === "completion")
    return { kind: "pending", checks: checks.pending, commitChecks: checks.commitChecks, approved };
  return evaluated(context, agent, role, { intentId: row.id, ref, commit, keptHere, approved });
}

async function evaluated(
  context: EngineContext,
  agent: AgentRecord,
  role: Role,
  claim: ClaimedCommit & { readonly keptHere: boolean; readonly approved: boolean },
): Promise<Judgement> {
  const { intentId, ref, commit, keptHere, approved } = claim;
  const { roles, evidence } = context.settings;
  if (evaluatorFor(roles, role) === undefined) return { kind: "holds", confidence: null, keptHere, approved };
  const threshold = evidence.evaluatorThreshold;
  const kept = storedEvaluation(await context.store.evidence.ofAgent(agent.id), {
    intentId,
    commit,
    threshold,
  });
  if (kept === undefined) return { kind: "unevaluated", ref, commit, approved };
  const { confidence } = kept;
  return confidence >= threshold
    ? { kind: "holds", confidence, keptHere, approved }
    : { kind: "lacking", missing: [{ kind: "low_confidence", threshold, ...kept }] };
}

/** The state of a claimed commit's required checks. */
interface ChecksEvidence {
  /** Failures that the commit itself caused. */
  readonly failed: readonly Extract<Missing, { kind: "check_failed" }>[];
  /** Checks that are neither green nor a failure of the commit: running, or failed for another cause. */
  readonly pending: readonly string[];
  readonly commitChecks: CommitChecks;
}

/** `since` = when the commit began to wait for its checks, in milliseconds since the epoch. */
async function requiredChecks(
  context: EngineContext,
  repository: RepositoryRow,
  looked: { readonly commit: string; readonly base: string; readonly since: number },
): Promise<ChecksEvidence> {
  const commitChecks = await refreshCommit(context, repository, looked);
  const { verdict, red } = commitChecks;
  switch (verdict.kind) {
    case "green":
      return { failed: [], pending: [], commitChecks };
    case "own_failure":
      return {
        failed: red
          .filter(({ name }) => verdict.checks.includes(name))
          .map(({ name: check, conclusion, job, step, log }) => ({
            kind: "check_failed",
            check,
            conclusion,
            job,
            step,
            log,
          })),
        pending: [],
        commitChecks,
      };
    case "flaky":
      return { failed: [], pending: verdict.reruns.map(({ check }) => check), commitChecks };
    default:
      return { failed: [], pending: verdict.checks, commitChecks };
  }
}
