import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { IncidentRow } from "../../domain/breakers/incident.ts";

/** Returns whether the agent is the one that may continue despite the incident's pause. */
export async function isProbe(
  tables: { readonly incidents: { list(): Promise<readonly IncidentRow[]> } },
  agent: Pick<AgentRecord, "id">,
): Promise<boolean> {
  return (await tables.incidents.list()).some(
    ({ state, probeAgentId }) => state === "open" && probeAgentId === agent.id,
  );
}
