import type { NodeLife, NodeRow } from "../recovery/node.ts";

/** The nodes that use the database. */
export interface NodeTable {
  /** Begins a life of the node, and returns its epoch, which is above those of all earlier ones by its name. */
  begin(node: NodeLife & { readonly now: number }): Promise<number>;
  /** Notes that the node runs, and its room. Returns false where another process has begun by its name. */
  seen(life: Life, now: number, freeDiskBytes: number | null): Promise<boolean>;
  /** Returns the time of the database's own clock; null where the process's clock is the only one. */
  time(): Promise<number | null>;
  /**
   * Drains the node, whose agents may finish their turn until then, or ends that (null). `reason`: why it does so itself.
   * Returns false where this life is over, or of a version that cannot be drained.
   */
  drain(life: Life, until: number | null, reason: string | null): Promise<boolean>;
  /** Notes that the node has stopped in order. */
  stopped(life: Life): Promise<void>;
  /** In order of name. */
  list(): Promise<readonly NodeRow[]>;
}

/** One life of a node. */
export type Life = Pick<NodeRow, "name" | "epoch">;

/** Who runs each of the rounds that only one node at a time may run. */
export interface RoundTable {
  /**
   * Takes or keeps, until then, each of these rounds that no other node has, and returns their names. A life does not
   * keep a round that a later one of its node has.
   */
  hold(
    names: readonly string[],
    life: Life,
    times: { readonly now: number; readonly until: number },
  ): Promise<readonly string[]>;
  /** Gives up all rounds of this life. */
  release(life: Life): Promise<void>;
}
