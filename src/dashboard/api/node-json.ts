import { type NodeRow, nodeState } from "../../domain/recovery/node.ts";

/** The machines that use the database, or did; none where there was never more than one. */
export function nodesJson(nodes: readonly NodeRow[], now: number) {
  if (nodes.length < 2) return [];
  return nodes.map((node) => ({
    name: node.name,
    version: node.version,
    state: nodeState(node, now),
    seen_at: new Date(node.seenAt).toISOString(),
  }));
}

export type NodeJson = ReturnType<typeof nodesJson>[number];
