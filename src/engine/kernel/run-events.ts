import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { RunEvent } from "../../domain/kernel/run-event.ts";
import { cleanText, cleanValue } from "../../domain/messages/printable.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { EngineContext } from "./engine-context.ts";
import { turnsOf } from "./turns-used.ts";

/** Longer texts of an event or an audit row are cut, and say so. */
const LONGEST = 4000;

/** Whom an event is about; `agentId` null for a task that nobody is at work on. */
export interface EventSubject {
  readonly agentId: number | null;
  readonly repositoryId: number;
  readonly issue: number;
}

/** A text of others as it may be kept and shown. */
export function clean(context: Pick<EngineContext, "redact">, text: string): string {
  return cleanText(text, context.redact, LONGEST);
}

/**
 * Adds events, cleaned, for those who watch; in the transaction that `tables` is, so that they stand exactly when what
 * they tell stands.
 */
export async function appendRunEvents(
  context: Pick<EngineContext, "redact" | "clock">,
  tables: Pick<Tables, "runEvents">,
  { agentId, repositoryId, issue }: EventSubject,
  events: readonly RunEvent[],
): Promise<void> {
  for (const event of events)
    await tables.runEvents.add({
      at: context.clock.now(),
      agentId,
      repositoryId,
      issue,
      event: cleanValue(event, (text) => clean(context, text)),
    });
}

/** Tells that a person is asked about a call, a commit or a plan. `agent` as its period began. */
export async function tellAsked(
  context: EngineContext,
  tables: Pick<Tables, "runEvents" | "records">,
  agent: AgentRecord,
  asked: { readonly kind: string; readonly subject: string },
): Promise<void> {
  const now = (await tables.records.get("agent", agent.id)) ?? agent;
  const data = { ...asked, choices: ["approve", "deny", "cancel"], ...turnsOf(context, now) };
  await appendRunEvents(context, tables, subjectOf(agent), [{ type: "approval:requested", data }]);
}

/** The same about an agent, by its record. */
export function subjectOf(agent: { id: number; repositoryId: number; issue: number }): EventSubject {
  return { agentId: agent.id, repositoryId: agent.repositoryId, issue: agent.issue };
}
