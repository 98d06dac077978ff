import { evaluatorFor, keptEvaluation } from "../../core/evidence/evaluation.ts";
import type { Missing } from "../../core/evidence/missing.ts";
import { missingReview } from "../../core/evidence/review.ts";
import { missingEvidence } from "../../core/evidence.ts";
import { keepsWork } from "../../core/level.ts";
import type { AgentRecord } from "../../core/machines/agent-record.ts";
import type { WorktreeRef } from "../../core/ports/worktrees.ts";
import type { Role } from "../../core/role.ts";
import type { IntentRow } from "../../core/rows.ts";
import type { CommitLook } from "../checks/look-at-commit.ts";
import type { EngineContext } from "../context.ts";
import { levelOn } from "../level-door.ts";
import type { Looked } from "../look-at-intent.ts";
import { repositoryOf } from "../repository-of.ts";
import { taskOf } from "../surroundings.ts";
import { worktreeOf } from "../worktree-of.ts";
import { gather } from "./gather.ts";
import { type ClaimedCommit, proveCommands } from "./prove-commands.ts";
import { requiredChecks } from "./required-checks.ts";

/**
 * What became of a claim: it lacks something, waits for checks, holds but for the evaluator, who has not been asked,
 * holds with the evaluator's confidence where there is one, or was left undecided because the host stops.
 */
export type Judgement =
  | { readonly kind: "lacking"; readonly missing: readonly Missing[] }
  | { readonly kind: "pending"; readonly checks: readonly string[]; readonly look: CommitLook }
  | { readonly kind: "unevaluated"; readonly ref: WorktreeRef; readonly commit: string }
  | {
      readonly kind: "holds";
      readonly confidence: number | null;
      /** The level lets no work out: there is nothing that people could review. */
      readonly keptHere: boolean;
    }
  | { readonly kind: "undecided" };

/** What a claim asks for: to be complete, or to be reviewed. */
type Wanted = "completion" | "review";

/** A claim as it was recorded. */
export interface Claim {
  readonly row: IntentRow;
  readonly summary: string;
  readonly wanted: Wanted;
}

/** The claim of an agent's intent, null for an intent that claims nothing. */
export function claimOf({ row, intent }: Looked): Claim | null {
  if (row === null) return null;
  if (intent?.kind === "report_complete") return { row, summary: intent.summary, wanted: "completion" };
  return intent?.kind === "request_review" ? { row, summary: intent.summary, wanted: "review" } : null;
}

/**
 * Judges a claim by all the evidence that its role owes: first what is only read, then the acceptance commands, then
 * the required checks, then what the evaluator said. For a review checks may still run. `signal` null runs nothing: for one whose commands have been run.
 */
export async function judge(
  context: EngineContext,
  agent: AgentRecord,
  role: Role,
  { row, summary, wanted, signal }: Claim & { readonly signal: AbortSignal | null },
): Promise<Judgement> {
  const repository = await repositoryOf(context, agent.repositoryId);
  const { commit } = row;
  const keptHere = keepsWork(await levelOn(context, repository, agent.issue));
  const facts = await gather(context, agent, role, { repository, commit, summary, keptHere });
  const task = (await taskOf(context.store, agent.repositoryId, agent.issue)) ?? null;
  const verdicts = task === null ? [] : await context.store.verdicts.ofTask(task.id);
  const missing = [
    ...missingEvidence(facts),
    ...missingReview(facts, {
      wanted,
      required: context.settingsOf(agent.repositoryId).review.required && !keptHere,
      task,
      verdicts,
    }),
  ];
  if (missing.length > 0) return { kind: "lacking", missing };
  const ref = await worktreeOf(context, agent);
  if (role.evidence !== "code" || facts.pull?.merged === true || ref === null || commit === null)
    return { kind: "holds", confidence: null, keptHere };
  if (signal !== null) {
    const failed = await proveCommands(context, agent, { intentId: row.id, ref, commit }, signal);
    if (failed === null) return { kind: "undecided" };
    if (failed.length > 0) return { kind: "lacking", missing: failed };
  }
  // GitHub checks no commit that it never saw.
  if (keptHere) return evaluated(context, agent, role, { intentId: row.id, ref, commit, keptHere });
  const since = agent.sleepingSince ?? context.clock.now();
  const checks = await requiredChecks(context, repository, { commit, since });
  if (checks.failed.length > 0) return { kind: "lacking", missing: checks.failed };
  if (checks.pending.length > 0 && wanted === "completion")
    return { kind: "pending", checks: checks.pending, look: checks.look };
  return evaluated(context, agent, role, { intentId: row.id, ref, commit, keptHere });
}

async function evaluated(
  context: EngineContext,
  agent: AgentRecord,
  role: Role,
  { intentId, ref, commit, keptHere }: ClaimedCommit & { readonly keptHere: boolean },
): Promise<Judgement> {
  const { roles, evidence } = context.settings;
  if (evaluatorFor(roles, role) === undefined) return { kind: "holds", confidence: null, keptHere };
  const threshold = evidence.evaluatorThreshold;
  const kept = keptEvaluation(await context.store.evidence.ofAgent(agent.id), {
    intentId,
    commit,
    threshold,
  });
  if (kept === undefined) return { kind: "unevaluated", ref, commit };
  const { confidence } = kept;
  return confidence >= threshold
    ? { kind: "holds", confidence, keptHere }
    : { kind: "lacking", missing: [{ kind: "low_confidence", threshold, ...kept }] };
}
