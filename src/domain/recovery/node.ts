import type { NodeRole } from "./node-roles.ts";

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
  /** The highest schema number that its version knows. */
  readonly reads: number;
  /** Until when its agents may finish the turn that they are in, while it is drained; null while it is not. */
  readonly drainUntil: number | null;
  /** Why it has drained itself; null where a person did. */
  readonly drainReason: string | null;
  /** The parts of the work that it has, as `writtenRoles` writes them. */
  readonly roles: string;
  /** The key to which tokens are sealed for this life of the node; null where it needs none. */
  readonly publicKey: string | null;
  /** Memory that Flotilla and everything it starts may use there; null where it does not say. */
  readonly memoryBytes: number | null;
  /** Free space on the disk of its data directory; null before it was read. */
  readonly freeDiskBytes: number | null;
}

/** What a node writes into its row when its process starts. */
export type NodeLife = Pick<NodeRow, "name" | "version" | "reads" | "roles" | "publicKey" | "memoryBytes">;

/** How often a node says that it runs. */
export const RENEW_MS = 5_000;

/** How often it looks which others run, and whether it is drained. */
export const LOOK_MS = 1_000;

/** How long the others believe it. Four renewals fit in, so that a slow database makes no node seem lost. */
export const LEASE_MS = 20_000;

/**
 * How long before the others may take over its agents a node that cannot renew ends them itself: stopping a process takes
 * a moment.
 */
export const STOP_BEFORE_MS = 5_000;

/** How far a node's clock may differ from the database's: leases of its clock are still longer than a request takes. */
export const MOST_SKEW_MS = 5_000;

/** How long an agent may take to finish its turn on a node that is drained after turns. */
export const AFTER_TURN_MS = 15 * 60_000;

/** Returns whether the node runs, as far as the others know. */
export function isPresent({ seenAt, stopped }: NodeRow, now: number): boolean {
  return !stopped && now - seenAt < LEASE_MS;
}

/** What people read of a node. */
export type NodeState = "running" | "draining" | "stopped" | "lost";

export function nodeState(node: NodeRow, now: number): NodeState {
  if (node.stopped) return "stopped";
  if (!isPresent(node, now)) return "lost";
  return node.drainUntil === null ? "running" : "draining";
}

/** Returns the other nodes that run. */
export function presentBeside(nodes: readonly NodeRow[], own: string, now: number): readonly NodeRow[] {
  return nodes.filter((one) => one.name !== own && isPresent(one, now));
}

/** Returns whether the node has that part of the work. A role of a later version is none that is asked for. */
export function hasRole({ roles }: Pick<NodeRow, "roles">, role: NodeRole): boolean {
  return roles.split(",").includes(role);
}

/** Returns what stands still because no machine does it, with what to do. */
export function standstills(nodes: readonly NodeRow[], now: number): readonly string[] {
  if (nodes.length === 0) return [];
  const present = nodes.filter((node) => isPresent(node, now));
  const missing = Object.entries(NEEDED).flatMap(([role, text]) =>
    present.some((node) => node.roles.split(",").includes(role)) ? [] : [text],
  );
  const runners = present.filter((node) => hasRole(node, "runner"));
  // A controller that is drained goes on where no other one is there; a runner begins nothing.
  const isDrained = runners.length > 0 && runners.every(({ drainUntil }) => drainUntil !== null);
  return isDrained ? [...missing, ALL_DRAINED] : missing;
}

const NEEDED = {
  controller: "No machine handles webhooks and writes on GitHub: start one with `--role controller`.",
  runner: "No machine runs agents: start one with `--role runner`.",
} satisfies Partial<Record<NodeRole, string>>;

const ALL_DRAINED =
  "No agent starts or wakes, because each machine that runs agents is drained: end a drain with `flotilla drain --undo`, or start another such machine.";
