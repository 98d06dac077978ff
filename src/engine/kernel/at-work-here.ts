import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { EngineContext } from "./engine-context.ts";
import { readable } from "./readable.ts";

/** Returns the filter of the agents whose processes can be on this node. */
export function ofThisNode({ alone, node }: Pick<EngineContext, "alone" | "node">): {
  readonly node?: string;
} {
  return alone ? {} : { node };
}

/** Returns the working agents whose processes are on this node. */
export async function atWorkHere(
  context: Pick<EngineContext, "store" | "alone" | "node">,
): Promise<readonly AgentRecord[]> {
  return readable(context.store, "agent", { state: "ACTIVE", ...ofThisNode(context) });
}

/** Returns whether the agent's process can only be on this node. */
export function isHere(
  { alone, node }: Pick<EngineContext, "alone" | "node">,
  agent: Pick<AgentRecord, "node">,
): boolean {
  return alone || agent.node === node;
}
