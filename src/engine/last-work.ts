import type { AgentWish, Surroundings } from "../core/machines/agent-event.ts";
import type { AgentRecord } from "../core/machines/agent-record.ts";
import type { Tables } from "../core/ports/store.ts";
import { lastSteps, workLinks } from "../core/text/last-steps.ts";
import { REPORTS } from "./reading-tools.ts";

/** Moves that may ask a person; the others spare the reading. */
const MAY_ASK: readonly AgentWish["type"][] = ["ESCALATE", "EXPIRE", "WAKE"];

/** What a person who is asked is shown of the work. */
export async function lastWork(
  tables: Pick<Tables, "toolCalls" | "repositories">,
  agent: AgentRecord,
  wish: AgentWish,
): Promise<Pick<Surroundings, "tried" | "links">> {
  if (!MAY_ASK.includes(wish.type)) return { tried: [], links: [] };
  const repository = await tables.repositories.get(agent.repositoryId);
  return {
    // A report is what is asked, not what was tried.
    tried: lastSteps((await tables.toolCalls.ofAgent(agent.id)).filter(({ tool }) => !REPORTS.has(tool))),
    links: repository === undefined ? [] : workLinks(agent, repository),
  };
}
