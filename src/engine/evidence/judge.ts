import type { Missing } from "../../core/evidence/missing.ts";
import { missingEvidence } from "../../core/evidence.ts";
import type { AgentRecord } from "../../core/machines/agent-record.ts";
import type { Role } from "../../core/role.ts";
import type { IntentRow } from "../../core/rows.ts";
import type { EngineContext } from "../context.ts";
import { repositoryOf } from "../repository-of.ts";
import { worktreeOf } from "../worktree-of.ts";
import { gather } from "./gather.ts";
import { proveCommands } from "./prove-commands.ts";
import { requiredChecks } from "./required-checks.ts";

/** What became of a claim: it lacks something, waits for checks, holds, or was left undecided because the host stops. */
export type Judgement =
  | { readonly kind: "lacking"; readonly missing: readonly Missing[] }
  | { readonly kind: "pending"; readonly checks: readonly string[] }
  | { readonly kind: "holds" }
  | { readonly kind: "undecided" };

/** A claim of completion as it was recorded. */
export interface Claim {
  readonly row: IntentRow;
  readonly summary: string;
}

/**
 * Judges a claim by all the evidence that its role owes: first what is only read, then the acceptance commands, then
 * the required checks. `signal` null runs nothing: for one whose commands have been run.
 */
export async function judge(
  context: EngineContext,
  agent: AgentRecord,
  role: Role,
  { row, summary, signal }: Claim & { readonly signal: AbortSignal | null },
): Promise<Judgement> {
  const repository = await repositoryOf(context, agent.repositoryId);
  const { commit } = row;
  const facts = await gather(context, agent, role, { repository, commit, summary });
  const missing = missingEvidence(facts);
  if (missing.length > 0) return { kind: "lacking", missing };
  const ref = await worktreeOf(context, agent);
  if (role.evidence !== "code" || facts.pull?.merged === true || ref === null || commit === null)
    return { kind: "holds" };
  if (signal !== null) {
    const failed = await proveCommands(context, agent, { intentId: row.id, ref, commit }, signal);
    if (failed === null) return { kind: "undecided" };
    if (failed.length > 0) return { kind: "lacking", missing: failed };
  }
  const checks = await requiredChecks(context, repository, commit);
  if (checks.failed.length > 0) return { kind: "lacking", missing: checks.failed };
  return checks.pending.length > 0 ? { kind: "pending", checks: checks.pending } : { kind: "holds" };
}
