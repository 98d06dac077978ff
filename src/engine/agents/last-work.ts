import type { AgentEvent, GuardContext } from "../../domain/agents/agent-event.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { lastSteps, workLinks } from "../../domain/conversation/last-steps.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { baseOf } from "../kernel/base-of.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/** Moves that may ask a person; for other moves the work is not read. */
const MAY_ASK: readonly AgentEvent["type"][] = ["ESCALATE", "EXPIRE", "WAKE"];

/** Returns the work that is shown to a person who is asked about the agent. */
export async function lastWork(
  tables: Pick<Tables, "records" | "toolCalls" | "repositories">,
  agent: AgentRecord,
  event: AgentEvent,
  toolKind: EngineContext["toolKind"],
): Promise<Pick<GuardContext, "tried" | "links">> {
  if (!MAY_ASK.includes(event.type)) return { tried: [], links: [] };
  const repository = await tables.repositories.get(agent.repositoryId);
  return {
    // A report is the question itself, not something that was tried.
    tried: lastSteps(
      (await tables.toolCalls.ofAgent(agent.id)).filter(({ tool }) => toolKind(tool, agent) !== "report"),
    ),
    links:
      repository === undefined
        ? []
        : workLinks(agent, repository, await baseOf(tables, repository, agent.issue)),
  };
}
