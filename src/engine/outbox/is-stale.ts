import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { type ChangeSet, decisionOnly, NO_CHANGES } from "../../domain/kernel/change-set.ts";
import type { EffectKind } from "../../domain/kernel/effect.ts";
import type { EffectRow } from "../../domain/kernel/rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/**
 * What an agent says, its pull request too: it stands after it fell asleep, woke or completed as well. A commit takes the
 * files as they are, so it needs the very period.
 */
const SAID: ReadonlySet<EffectKind> = new Set([
  "open_pr",
  "post_comment",
  "add_labels",
  "create_blocker_issue",
  "create_sub_issue",
]);

type Holder = Pick<AgentRecord, "token" | "state" | "heldBy">;

/**
 * The one that asked for it is not the holder any more: its period is over, or for what it says, it was ended by a failure
 * or a person, or its rows are broken. What it says and may have begun to say before is finished all the same: what stands on GitHub must be known.
 */
export function isStale(
  { kind, token, uncertain }: Pick<EffectRow, "kind" | "token" | "uncertain">,
  agent: Holder | null,
): boolean {
  if (token === null) return false;
  if (!SAID.has(kind)) return agent?.token !== token || agent.state !== "ACTIVE";
  if (uncertain) return false;
  if (agent === null || agent.state === "FAILED" || agent.state === "CANCELLED") return true;
  return agent.heldBy.includes("invariant");
}

/** Read again, in the middle of an effect: whether its agent may still do what it asked for. */
export async function stillHolds({ store }: Pick<EngineContext, "store">, row: EffectRow): Promise<boolean> {
  const agent = row.agentId === null ? null : ((await store.records.get("agent", row.agentId)) ?? null);
  return !isStale(row, agent);
}

/** An output that was not done because its agent has moved on; what the host does for an agent is only skipped. */
export function movedOn({ key, kind, agentId, uncertain }: EffectRow): ChangeSet {
  if (agentId === null || uncertain || !key.includes(":call-")) return NO_CHANGES;
  return decisionOnly("moved_on", `${kind} was not done: the agent that asked for it has moved on since`, {
    agentId,
  });
}
