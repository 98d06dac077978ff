import type { Tables } from "../../domain/ports/store.ts";
import { type ApprovalVerdict, canonicalCall } from "../../domain/questions/approval.ts";
import { PLAN_TOOL } from "../../domain/sessions/tool-names.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { runOf } from "../kernel/find-records.ts";
import type { TransitionRequest } from "../kernel/transition-request.ts";

/** Returns the hash by which a plan is approved. */
export function planHash({ digest }: Pick<EngineContext, "digest">, plan: string): string {
  return digest(canonicalCall({ toolName: PLAN_TOOL, args: { plan } }));
}

/** Saves the change set's verdicts on calls and plans. */
export async function saveApprovals(
  context: EngineContext,
  tables: Tables,
  { at, reaction }: TransitionRequest,
): Promise<void> {
  for (const verdict of reaction.approvals) await decideApproval(context, tables, verdict, at);
}

/** Saves a person's verdict. An edited plan is approved, and stored with the run, as the person wrote it. */
async function decideApproval(
  context: Pick<EngineContext, "digest">,
  tables: Tables,
  { plan, ...verdict }: ApprovalVerdict,
  at: number,
): Promise<void> {
  if (plan === undefined) {
    await tables.approvals.decide(verdict, at);
    return;
  }
  const first = await tables.approvals.decide(verdict, at, {
    input: plan.text,
    hash: planHash(context, plan.text),
  });
  const run = first ? await runOf(tables, plan.agentId) : undefined;
  if (run !== undefined) await tables.records.save("run", run, { ...run, plan: plan.text });
}
