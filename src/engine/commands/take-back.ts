import { wake } from "../../domain/agents/agent-changes.ts";
import { isLive } from "../../domain/agents/agent-record.ts";
import { OperationError } from "../../domain/commands/operation-fault.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { closedText, isUsedLater, SHORT_HASH } from "../../domain/questions/approval.ts";
import { operatorTouch } from "../../domain/reporting/operator-touch.ts";
import { sayer } from "../../domain/status/person-named.ts";
import { advanceAgent } from "../kernel/advance-agent.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { operationName } from "../kernel/operation-name.ts";

/** A person's wish that a call which was approved is not made after all. */
export interface TakenBack {
  readonly approval: number;
  /** Chosen by the caller and unique: a repeated id acts once. */
  readonly id: string;
  /** A login, or `operator:<account>`. */
  readonly by: string;
}

/** Refuses a call that was approved, as long as the agent has not made it. Throws `OperationError`. */
export async function takeBackApproval(
  context: EngineContext,
  { approval, id, by }: TakenBack,
): Promise<{ readonly tool: string }> {
  const { store, clock } = context;
  const row = await store.approvals.get(approval);
  const agent = row && (await store.records.get("agent", row.agentId));
  if (row === undefined || agent === undefined)
    throw new OperationError({ code: "not_found", what: `call ${approval} that was asked about` });
  const late = new OperationError({
    code: "not_steered",
    why: row.state === "used" ? "The agent has already made that call" : closedText(row),
    hint: "`/flotilla pause` holds the agent, `/flotilla cancel` ends it",
  });
  if (!isUsedLater(row) || !isLive(agent)) throw late;
  const at = clock.now();
  const name = operationName(id);
  const said = `${sayer(by)} takes back the permission for ${row.tool} (${row.hash.slice(0, SHORT_HASH)}): do without that call.`;
  const also = async ({ approvals, ledger }: Tables): Promise<void> => {
    if (!(await approvals.takeBack(row.id, { by, reason: "the permission was taken back", at }))) throw late;
    await ledger.touch(operatorTouch(agent, "approval", { act: id, at }));
  };
  const wakes = [wake({ at, delivery: name }, agent, "message", said)];
  await advanceAgent(context, agent, { wakes }, { name, also });
  return { tool: row.tool };
}
