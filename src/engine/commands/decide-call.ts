import { OperationError } from "../../domain/commands/operation-fault.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { closedText } from "../../domain/questions/approval.ts";
import { onApprove, onDeny } from "../../domain/questions/on-approval.ts";
import { operatorTouch } from "../../domain/reporting/operator-touch.ts";
import { readIssueState } from "../events/issue-state.ts";
import { advance } from "../kernel/advance.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { operationName } from "../kernel/operation-name.ts";
import { repositoryOf } from "../kernel/repository-of.ts";

/** A person's verdict on one call that an agent asked about. */
export interface CallVerdict {
  readonly approval: number;
  readonly verdict: "approve" | "deny";
  /** Chosen by the caller and unique: a repeated id decides once. */
  readonly id: string;
  /** A login, or `operator:<account>`. */
  readonly by: string;
  /** What the agent reads beside the verdict: why not, or what else to mind. */
  readonly reason: string | null;
}

/** Carries out `/flotilla approve` and `deny` for exactly this call. Throws `OperationError`. */
export async function decideCall(
  context: EngineContext,
  request: CallVerdict,
): Promise<{ readonly tool: string }> {
  const { store } = context;
  const row = await store.approvals.get(request.approval);
  const agent = row && (await store.records.get("agent", row.agentId));
  if (row === undefined || agent === undefined)
    throw new OperationError({ code: "not_found", what: `call ${request.approval} that was asked about` });
  const { repositoryId, issue } = agent;
  const view = await readIssueState(context, await repositoryOf(context, repositoryId), issue);
  const asked = view.asked.filter(({ id }) => id === row.id);
  if (asked.length === 0)
    throw new OperationError({
      code: "invalid_state",
      agent: agent.name,
      state: agent.state,
      operation: request.verdict,
      why: closedText(row),
    });
  const at = context.clock.now();
  const name = operationName(request.id);
  const act = { at, delivery: name, actor: { login: request.by } };
  const words = request.reason ?? "";
  const only = { ...view, asked };
  const changes =
    request.verdict === "approve" ? onApprove(act, only, { rest: "", words }) : onDeny(act, only, words);
  const touch = operatorTouch(agent, "approval", { act: request.id, at });
  const also = ({ ledger }: Tables): Promise<void> => ledger.touch(touch);
  await advance(context, { at, repositoryId, issue, delivery: null, name, changes, also });
  return { tool: row.tool };
}
