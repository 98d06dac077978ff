import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { RunEvent } from "../../domain/kernel/run-event.ts";
import { cleanText, cleanValue } from "../../domain/messages/printable.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { EngineContext } from "./engine-context.ts";
import { turnsOf } from "./turns-used.ts";

/** Characters of a text in an event or audit row; a longer text is cut and says so. */
const LONGEST = 4000;

/** The agent or issue of an event; `agentId` is null for a task without an agent. */
export interface EventSubject {
  readonly agentId: number | null;
  readonly repositoryId: number;
  readonly issue: number;
}

/** Returns a text of others without secrets and control characters, to be stored and shown. */
export function clean(context: Pick<EngineContext, "redact">, text: string): string {
  return cleanText(text, context.redact, LONGEST);
}

/**
 * Adds cleaned events for live viewers, in the transaction `tables`, so that an event exists exactly when the
 * change that it reports does.
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

/**
 * Adds the event that a person is asked about a call, a commit or a plan. `agent` is the record from the
 * start of its period.
 */
export async function appendAskedEvent(
  context: EngineContext,
  tables: Pick<Tables, "runEvents" | "records">,
  agent: AgentRecord,
  asked: { readonly kind: string; readonly subject: string },
): Promise<void> {
  const now = (await tables.records.get("agent", agent.id)) ?? agent;
  const data = { ...asked, choices: ["approve", "deny", "cancel"], ...turnsOf(context, now) };
  await appendRunEvents(context, tables, subjectOf(agent), [{ type: "approval:requested", data }]);
}

/** Returns the event subject of an agent's record. */
export function subjectOf(agent: { id: number; repositoryId: number; issue: number }): EventSubject {
  return { agentId: agent.id, repositoryId: agent.repositoryId, issue: agent.issue };
}
