import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { issueEffect } from "../kernel/effect-rows.ts";

/**
 * Rewrites the status comments of resting agents when their sprint begins or ceases to hold them, since no
 * move of theirs does. `cause` is unique to that change.
 */
export async function renewComments(
  { effects }: Pick<Tables, "effects">,
  agents: readonly AgentRecord[],
  { cause, at }: { readonly cause: string; readonly at: number },
): Promise<void> {
  const rows = agents
    .filter(({ state }) => ["CREATED", "SLEEPING", "ESCALATED"].includes(state))
    .map(({ repositoryId, issue }) => ({
      ...issueEffect({ repositoryId, issue, effect: { kind: "status_comment" }, at }),
      key: `${cause}:${repositoryId}#${issue}:status_comment`,
    }));
  if (rows.length > 0) await effects.add([...new Map(rows.map((row) => [row.key, row])).values()]);
}
