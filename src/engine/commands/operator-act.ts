import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { sayer } from "../../domain/status/person-named.ts";

/** An operator's act on one agent. The caller chooses the unique `id`. */
export interface OperatorAct {
  readonly agent: string;
  readonly id: string;
  /** `operator:<account>`, or the login of a person who acts on the dashboard. */
  readonly by: string;
  readonly reason: string | null;
}

/** Returns the message that lets an agent continue, in the name of whoever acts. */
export function operatorMessage({ by }: Pick<OperatorAct, "by">, what: "continue" | "try again"): string {
  return `${sayer(by)} says: ${what}.`;
}

/** Returns the reason as the agent reads it; null where none is given. */
export function operatorReason({ by, reason }: Pick<OperatorAct, "by" | "reason">): string | null {
  return reason === null ? null : `${sayer(by)} says:\n\n${reason}`;
}

/**
 * Sends the operator's reason to the agent that the transaction has just created, if it created one: `before`
 * lists the agents from before it.
 */
export async function sendReasonToNewAgent(
  { records, wakes }: Tables,
  {
    act,
    agent,
    before,
    at,
  }: { act: OperatorAct; agent: AgentRecord; before: readonly AgentRecord[]; at: number },
): Promise<void> {
  const detail = operatorReason(act);
  if (detail === null) return;
  const { repositoryId, issue, role } = agent;
  const begun = (await records.find("agent", { repositoryId, issue, role })).at(-1);
  if (begun === undefined || before.some(({ id }) => id === begun.id)) return;
  const key = `operator:${act.id}:${begun.id}:words`;
  await wakes.add({
    key,
    agentId: begun.id,
    reason: "message",
    detail,
    grant: null,
    dueAt: at,
    createdAt: at,
  });
}
