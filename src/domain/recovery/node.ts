/** A machine that uses the database, or did. Times are milliseconds since the epoch. */
export interface NodeRow {
  /** `FLOTILLA_NODE`. */
  readonly name: string;
  /** Counts the starts by that name. */
  readonly epoch: number;
  /** The version of Flotilla that runs there. */
  readonly version: string;
  /** When it last said that it runs. */
  readonly seenAt: number;
  /** True once it has stopped in order; false again at its next start. */
  readonly stopped: boolean;
}

/** How often a node says that it runs. */
export const RENEW_MS = 5_000;

/** How long the others believe it. Four renewals fit in, so that a slow database makes no node seem lost. */
export const LEASE_MS = 20_000;

/** How far a node's clock may differ from the database's: leases of its clock are still longer than a request takes. */
export const MOST_SKEW_MS = 5_000;

/** Returns whether the node runs, as far as the others know. */
export function isPresent({ seenAt, stopped }: NodeRow, now: number): boolean {
  return !stopped && now - seenAt < LEASE_MS;
}

/** What people read of a node. */
export type NodeState = "running" | "stopped" | "lost";

export function nodeState(node: NodeRow, now: number): NodeState {
  if (node.stopped) return "stopped";
  return isPresent(node, now) ? "running" : "lost";
}

/** Returns the names of the other nodes that run. */
export function presentBeside(nodes: readonly NodeRow[], own: string, now: number): ReadonlySet<string> {
  return new Set(nodes.filter((one) => one.name !== own && isPresent(one, now)).map(({ name }) => name));
}
