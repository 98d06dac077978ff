import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { type ChangeSet, decisionOnly, NO_CHANGES } from "../../domain/kernel/change-set.ts";
import type { EffectKind } from "../../domain/kernel/effect.ts";
import type { EffectRow } from "../../domain/kernel/rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/**
 * Kinds by which an agent publishes; they remain valid after it fell asleep, woke or completed. A commit
 * takes the files as they are, so it needs the same period, and the node that has them.
 */
const SAID: ReadonlySet<EffectKind> = new Set([
  "open_pr",
  "post_comment",
  "add_labels",
  "create_blocker_issue",
  "create_sub_issue",
]);

type Holder = Pick<AgentRecord, "token" | "state" | "heldBy" | "node">;

/**
 * Returns whether the effect's agent may no longer do it on this node: its period is over, or, for a kind that
 * publishes, the agent failed, was cancelled or has broken rows. A commit is stale on every node but the agent's.
 * An uncertain effect is finished all the same, because GitHub's state must be known.
 */
export function isStale(
  { kind, token, uncertain }: Pick<EffectRow, "kind" | "token" | "uncertain">,
  agent: Holder | null,
  node: string,
): boolean {
  if (token === null) return false;
  if (kind === "commit" && agent?.node !== node) return true;
  if (!SAID.has(kind)) return agent?.token !== token || agent.state !== "ACTIVE";
  if (uncertain) return false;
  if (agent === null || agent.state === "FAILED" || agent.state === "CANCELLED") return true;
  return agent.heldBy.includes("invariant");
}

/** Reads again, in the middle of an effect, whether its agent may still do it. */
export async function stillHolds(
  { store, node }: Pick<EngineContext, "store" | "node">,
  row: EffectRow,
): Promise<boolean> {
  const agent = row.agentId === null ? null : ((await store.records.get("agent", row.agentId)) ?? null);
  return !isStale(row, agent, node);
}

/**
 * Returns the decision about an output that was skipped because its agent has moved on; host effects are
 * skipped without one.
 */
export function movedOn({ key, kind, agentId, uncertain }: EffectRow): ChangeSet {
  if (agentId === null || uncertain || !key.includes(":call-")) return NO_CHANGES;
  return decisionOnly("moved_on", `${kind} was not done: the agent that asked for it has moved on since`, {
    agentId,
  });
}
