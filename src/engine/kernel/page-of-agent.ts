import { type AgentPage, agentPage } from "../../domain/agents/agent-page.ts";
import { fullName, type RepositoryRef } from "../../domain/kernel/repository.ts";
import type { EngineContext } from "./engine-context.ts";

/** Returns the page of the agent on the dashboard; null where texts link to none, or where there is no agent. */
export async function pageOfAgent(
  { store, publicUrl }: Pick<EngineContext, "store" | "publicUrl">,
  repository: RepositoryRef,
  agentId: number | null,
): Promise<AgentPage | null> {
  if (publicUrl === null || agentId === null) return null;
  const agent = await store.records.get("agent", agentId);
  return agent === undefined ? null : agentPage(publicUrl, fullName(repository), agent.name);
}
