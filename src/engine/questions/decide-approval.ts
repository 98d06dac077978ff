import { StaleSnapshot } from "../../domain/kernel/errors.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { type ApprovalVerdict, canonicalCall, saidNo } from "../../domain/questions/approval.ts";
import { PLAN_TOOL } from "../../domain/sessions/tool-names.ts";
import { recordedName } from "../../domain/status/person-named.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { runOf } from "../kernel/find-records.ts";
import { appendRunEvents, subjectOf } from "../kernel/run-events.ts";
import type { TransitionRequest } from "../kernel/transition-request.ts";

/** Returns the hash by which a plan is approved. */
export function planHash({ digest }: Pick<EngineContext, "digest">, plan: string): string {
  return digest(canonicalCall({ toolName: PLAN_TOOL, args: { plan } }));
}

/**
 * Saves the change set's verdicts on calls and plans. Throws `StaleSnapshot` where another person has answered since it
 * was decided: otherwise the agent would be told both answers, and a call that is allowed would be recorded as denied.
 */
export async function saveApprovals(
  context: EngineContext,
  tables: Tables,
  { at, delivery, changes }: TransitionRequest,
): Promise<void> {
  for (const verdict of changes.approvals) {
    if (
      !(await decideApproval(
        context,
        tables,
        { ...verdict, by: recordedName(verdict.by), onGitHub: delivery !== null },
        at,
      ))
    )
      throw new StaleSnapshot("approval", verdict.id);
    if (verdict.state === "denied") await denyCalls(context, tables, verdict, at);
  }
}

/** Denies the tool calls that waited for this answer, without running them, and tells the agent why. */
async function denyCalls(
  context: EngineContext,
  tables: Tables,
  { id, reason }: ApprovalVerdict,
  at: number,
): Promise<void> {
  const row = await tables.approvals.get(id);
  const agent = row && (await tables.records.get("agent", row.agentId));
  if (row === undefined || agent === undefined) return;
  const output = saidNo(reason);
  for (const call of await tables.toolCalls.deny({ agentId: agent.id, asked: row.hash, output, at }))
    await appendRunEvents(context, tables, subjectOf(agent), [
      {
        type: "tool:result",
        data: {
          call: call.toolCallId,
          tool: call.tool,
          status: "denied",
          output,
          duration_ms: call.durationMs,
        },
      },
    ]);
}

/**
 * Saves a person's verdict; false if there is one already. An edited plan is approved, and stored with the run, as the
 * person wrote it.
 */
async function decideApproval(
  context: Pick<EngineContext, "digest">,
  tables: Tables,
  { plan, ...verdict }: ApprovalVerdict & { readonly onGitHub: boolean },
  at: number,
): Promise<boolean> {
  if (plan === undefined) return tables.approvals.decide(verdict, at);
  const first = await tables.approvals.decide(verdict, at, {
    input: plan.text,
    hash: planHash(context, plan.text),
  });
  const run = first ? await runOf(tables, plan.agentId) : undefined;
  if (run !== undefined) await tables.records.save("run", run, { ...run, plan: plan.text });
  return first;
}
