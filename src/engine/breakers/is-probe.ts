import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { IncidentRow } from "../../domain/breakers/incident.ts";

/** True for the one agent that may continue in spite of the incident's pause. */
export async function isProbe(
  tables: { readonly incidents: { list(): Promise<readonly IncidentRow[]> } },
  agent: Pick<AgentRecord, "id">,
): Promise<boolean> {
  return (await tables.incidents.list()).some(
    ({ state, probeAgentId }) => state === "open" && probeAgentId === agent.id,
  );
}
