import type { AgentEvent, GuardContext } from "../../domain/agents/agent-event.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { lastSteps, workLinks } from "../../domain/conversation/last-steps.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { ToolKind } from "../../domain/sessions/tool-kind.ts";

/** Moves that may ask a person; the others spare the reading. */
const MAY_ASK: readonly AgentEvent["type"][] = ["ESCALATE", "EXPIRE", "WAKE"];

/** What a person who is asked is shown of the work. */
export async function lastWork(
  tables: Pick<Tables, "toolCalls" | "repositories">,
  agent: AgentRecord,
  wish: AgentEvent,
  toolKind: (toolName: string) => ToolKind,
): Promise<Pick<GuardContext, "tried" | "links">> {
  if (!MAY_ASK.includes(wish.type)) return { tried: [], links: [] };
  const repository = await tables.repositories.get(agent.repositoryId);
  return {
    // A report is what is asked, not what was tried.
    tried: lastSteps(
      (await tables.toolCalls.ofAgent(agent.id)).filter(({ tool }) => toolKind(tool) !== "report"),
    ),
    links: repository === undefined ? [] : workLinks(agent, repository),
  };
}
