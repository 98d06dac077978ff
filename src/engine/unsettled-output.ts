import { OutsideError } from "../core/errors.ts";
import type { AgentRecord } from "../core/machines/agent-record.ts";
import type { Tables } from "../core/ports/store.ts";

/**
 * A claim rests on the commits and the pull request of its agent: while GitHub cannot take one that it has asked for,
 * nothing is missing yet. Throws `OutsideError` `unavailable` (retry) until when the next try is due, so that the agent
 * sleeps over it and its claim stays recorded.
 */
export async function refuseUnsettledOutputs(
  { effects }: Pick<Tables, "effects">,
  agent: AgentRecord,
): Promise<void> {
  for (const kind of ["commit", "open_pr"] as const) {
    const rows = await effects.find({ agentId: agent.id, kind, state: ["pending", "leased"] });
    const [row] = rows.filter(({ key, error }) => key.includes(":call-") && error !== null);
    if (row === undefined) continue;
    throw new OutsideError("unavailable", `${kind} is not done yet: ${row.error ?? ""}`, {
      consequence: "retry",
      retryAt: row.notBefore + SOON_MS,
    });
  }
}

/** After the next try has had its time. */
const SOON_MS = 10_000;
