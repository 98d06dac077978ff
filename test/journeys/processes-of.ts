import { markedProcesses } from "../../src/adapters/sandbox/marked-processes.ts";
import type { Journey } from "./journey.ts";

/**
 * Returns the pids that run for the sessions of the journey, or of one of its issues; never those of another Flotilla
 * on this machine.
 */
export function processesOf({ rows, dataDir }: Journey, issue?: number): Promise<readonly number[]> {
  const sessions = rows(
    "SELECT session_id, agent_id FROM session WHERE agent_id IN (SELECT id FROM agent WHERE issue = ? OR ? = 0)",
    issue ?? 0,
    issue ?? 0,
  );
  return markedProcesses(
    sessions.map((row) => `${String(row["session_id"])}@${dataDir}/sessions/${String(row["agent_id"])}`),
  );
}
