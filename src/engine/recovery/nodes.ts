import type { Life } from "../../domain/ports/node-tables.ts";
import { LEASE_MS, MOST_SKEW_MS, presentBeside, RENEW_MS } from "../../domain/recovery/node.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

type Given = Pick<EngineContext, "store" | "clock" | "log" | "node" | "version" | "alone">;

type Round = () => Promise<void>;

/**
 * This node among those that use the database: says that it runs, knows which others run, and holds the rounds that
 * only one of them may run. Where nobody else uses the database, it holds all of them and writes nothing.
 */
export class Nodes {
  readonly #given: Given;
  readonly #names: string[] = [];
  #life: Life | null = null;
  #renewedAt = Number.NEGATIVE_INFINITY;
  /** When it began to renew in time, without a gap until now. */
  #presentSince: number | null = null;
  #held: ReadonlySet<string> = new Set();
  #others: ReadonlySet<string> = new Set();
  #replaced = false;
  #off = false;
  #renewing: Promise<"lapsed" | "kept"> | null = null;

  constructor(given: Given) {
    this.#given = given;
  }

  /**
   * Renews what this node holds, when that is due. `lapsed`: it was not renewed in time, so the others may have taken
   * over its agents. Call it beside the rounds: one that takes long must not make the node seem lost.
   */
  renew(): Promise<"lapsed" | "kept"> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  /** Returns whether this node may begin anything: the others know that it runs, and no process replaced it. */
  get mayBegin(): boolean {
    return this.#given.alone || this.#isHeld();
  }

  /**
   * Returns whether this node may say of others that they are lost: what kept it from renewing, such as a database that
   * was away, kept them too.
   */
  get mayJudge(): boolean {
    return this.#presentSince !== null && this.#given.clock.now() - this.#presentSince >= LEASE_MS;
  }

  /** The number of nodes that run, as far as this one knows. */
  get count(): number {
    return this.#others.size + 1;
  }

  /** Returns whether another node that runs has the agent: its worktree, conversation and process are there. */
  isElsewhere(agent: { readonly node: string }): boolean {
    return this.#others.has(agent.node);
  }

  /**
   * Returns a round that does nothing while another node holds it. What a round remembers ends with the hold: `begin` is
   * called again when this node takes the round over, and the round starts from the rows.
   */
  once(name: string, begin: () => Round): Round {
    this.#names.push(name);
    let round: Round | null = null;
    return async () => {
      if (!this.#holds(name)) {
        round = null;
        return;
      }
      round ??= begin();
      await round();
    };
  }

  /** Leaves the rounds to the others at once. */
  async stop(): Promise<void> {
    const life = this.#life;
    if (life === null) return;
    this.#held = new Set();
    await this.#given.store.transaction(async ({ nodes, rounds }) => {
      await rounds.release(life);
      await nodes.stopped(life);
    });
  }

  #holds(name: string): boolean {
    return this.#given.alone || (this.#held.has(name) && this.#isHeld());
  }

  #isHeld(): boolean {
    return !this.#replaced && this.#given.clock.now() - this.#renewedAt < LEASE_MS;
  }

  async #renew(): Promise<"lapsed" | "kept"> {
    const { store, clock, log, node: name, alone } = this.#given;
    const now = clock.now();
    if (alone || this.#replaced || now - this.#renewedAt < RENEW_MS) return "kept";
    if (await this.#isOff(now)) return "kept";
    const lapsed = this.#life !== null && now - this.#renewedAt >= LEASE_MS;
    const life = this.#life ?? (await this.#begin(now));
    const held = await store.transaction(async ({ nodes, rounds }) =>
      (await nodes.seen(life, now)) ? rounds.hold(this.#names, life, { now, until: now + LEASE_MS }) : null,
    );
    if (held === null) {
      this.#replaced = true;
      this.#held = new Set();
      log.error(
        { node: name },
        "another process has started by the name of this node, which begins nothing any more: set FLOTILLA_NODE to a name of its own",
      );
      return "lapsed";
    }
    this.#held = new Set(held);
    this.#others = presentBeside(await store.nodes.list(), name, now);
    this.#renewedAt = now;
    if (lapsed || this.#presentSince === null) this.#presentSince = now;
    return lapsed ? "lapsed" : "kept";
  }

  /** A node by whose clock leases end too early or too late says so, and begins nothing until its clock is set. */
  async #isOff(now: number): Promise<boolean> {
    const { store, log, node } = this.#given;
    const time = await store.nodes.time();
    const ahead = time === null ? 0 : now - time;
    const isOff = Math.abs(ahead) > MOST_SKEW_MS;
    if (isOff && !this.#off)
      log.error(
        { node, aheadMs: ahead },
        "the clock of this machine differs from the database's, so it begins nothing: set the clock (timedatectl set-ntp true)",
      );
    this.#off = isOff;
    return isOff;
  }

  async #begin(now: number): Promise<Life> {
    const { store, node: name, version } = this.#given;
    const epoch = await store.nodes.begin({ name, version, now });
    this.#life = { name, epoch };
    return this.#life;
  }
}
