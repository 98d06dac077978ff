import { cutHead } from "../../domain/messages/format.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { type NodeRow, nodeState } from "../../domain/recovery/node.ts";

/** Characters: each process of each machine writes these texts of its own. */
const LONGEST = 500;

/** The machines that use the database, or did; none where there was never more than one. */
export async function nodesJson({ nodes, records }: Pick<Tables, "nodes" | "records">, now: number) {
  const known = await nodes.list();
  if (known.length < 2) return [];
  return Promise.all(known.map(async (node) => nodeJson(node, await records.slotsInUse(node.name), now)));
}

function nodeJson(node: NodeRow, agents: number, now: number) {
  return {
    name: cutHead(node.name, LONGEST),
    version: node.version,
    state: nodeState(node, now),
    /** Why it has drained itself. */
    drain_reason: node.drainReason === null ? null : cutHead(node.drainReason, LONGEST),
    roles: node.roles.split(","),
    /** Those at work there. */
    agents,
    seen_at: new Date(node.seenAt).toISOString(),
  };
}

export type NodeJson = ReturnType<typeof nodeJson>;
