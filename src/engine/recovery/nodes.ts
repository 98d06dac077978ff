import { messageOf } from "../../domain/kernel/errors.ts";
import type { Life } from "../../domain/ports/node-tables.ts";
import { isFirstOf } from "../../domain/recovery/canary.ts";
import {
  hasRole,
  LEASE_MS,
  LOOK_MS,
  MOST_SKEW_MS,
  type NodeRow,
  presentBeside,
  RENEW_MS,
  STOP_BEFORE_MS,
} from "../../domain/recovery/node.ts";
import { type NodeRole, writtenRoles } from "../../domain/recovery/node-roles.ts";
import { newRoom, type Room } from "../agents/room.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

type Given = Pick<
  EngineContext,
  "store" | "clock" | "log" | "node" | "version" | "reads" | "alone" | "roles" | "publicKey" | "memoryBytes"
>;

/** Roles of which another node takes over what this one leaves. */
const SHARED: readonly NodeRole[] = ["controller", "runner"];

type Round = () => Promise<void>;

/**
 * This node among those that use the database: says that it runs, knows which others run, and holds the rounds that
 * only one of them may run. Where nobody else uses the database, it holds all of them and writes nothing.
 */
export class Nodes {
  readonly #given: Given;
  readonly #room: Pick<Room, "freeDiskBytes">;
  readonly #names: string[] = [];
  #life: Life | null = null;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** When it began to renew in time, without a gap until now. */
  #presentSince: number | null = null;
  #held: ReadonlySet<string> = new Set();
  /** The others that run. */
  #others: readonly NodeRow[] = [];
  #drainUntil: number | null = null;
  /** Counts when this process begins and ends to write its drain: a look in between may have read the row before that. */
  #written = 0;
  #replaced = false;
  #keyReplaced = false;
  #off = false;
  #renewing: Promise<"lapsed" | "kept"> | null = null;

  constructor(given: Given, room: Pick<Room, "freeDiskBytes"> = newRoom()) {
    this.#given = given;
    this.#room = room;
  }

  /** This life of the node; null before it has begun, and where nobody else uses the database. */
  get life(): Life | null {
    return this.#life;
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

  /** Returns whether agents may work here: no other node is known to run, or it is a while until it takes them over. */
  get mayGoOn(): boolean {
    const { clock } = this.#given;
    if (this.#others.length === 0 && !this.#replaced) return true;
    return !this.#replaced && clock.now() - this.#renewedAt < LEASE_MS - STOP_BEFORE_MS;
  }

  /**
   * Returns whether this node may say of others that they are lost: what kept it from renewing, such as a database that
   * was away, kept them too.
   */
  get mayJudge(): boolean {
    return this.#presentSince !== null && this.#given.clock.now() - this.#presentSince >= LEASE_MS;
  }

  /** The number of nodes that ask GitHub for something, this one included, as far as it knows. */
  get count(): number {
    return this.#others.filter(({ roles }) => roles !== "intake").length + 1;
  }

  /** Returns whether a node that runs has no key of the App and may ask for tokens. */
  get askForTokens(): boolean {
    return this.#others.some((one) => one.publicKey !== null);
  }

  /** Returns the other nodes that run agents, without those that are drained. */
  otherRunners(): readonly NodeRow[] {
    return this.#taking().filter((one) => hasRole(one, "runner"));
  }

  /** Until when the agents here may finish their turn, while this node is drained; null while it is not. */
  get drainUntil(): number | null {
    return this.#drainUntil;
  }

  get isDraining(): boolean {
    return this.#drainUntil !== null;
  }

  /** Returns whether this node is drained, and others are there to do what any node of its roles can do. */
  get leavesToOthers(): boolean {
    return this.isDraining && this.#isReplaceable;
  }

  /** Returns whether this node is the first of a new version, beside others that can do its work. */
  get isCanary(): boolean {
    return !this.isDraining && this.#isReplaceable && isFirstOf(this.#given.version, this.#taking());
  }

  /** Returns whether others begin what any node of the roles of this one can do. */
  get #isReplaceable(): boolean {
    const own = SHARED.filter((role) => this.#given.roles.has(role));
    const taking = this.#taking();
    return own.every((role) => taking.some((one) => hasRole(one, role)));
  }

  /** Returns the others that begin what is to be done. */
  #taking(): readonly NodeRow[] {
    return this.#others.filter(({ drainUntil }) => drainUntil === null);
  }

  /** Returns whether a newer version runs beside this one, which may write rows that this one cannot read. */
  get isBesideNewer(): boolean {
    return this.#others.some(({ reads }) => reads > this.#given.reads);
  }

  /**
   * Returns whether another node that runs has the agent: its worktree, conversation and process are there. One that is
   * drained leaves its agents to others.
   */
  isElsewhere(agent: { readonly node: string }): boolean {
    return this.otherRunners().some(({ name }) => name === agent.node);
  }

  /**
   * Returns a round of controllers, which does nothing while another node holds it. What a round remembers ends with the hold: `begin` is
   * called again when this node takes the round over, and the round starts from the rows.
   */
  once(name: string, begin: () => Round): Round {
    if (!this.#given.roles.has("controller")) return async () => {};
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

  /**
   * Drains this node, whose agents may finish their turn until then, or ends that (null). `reason`: why it does so without
   * being asked.
   */
  async drain(until: number | null, reason: string | null = null): Promise<void> {
    this.#drainUntil = until;
    if (this.#life === null) return;
    this.#written += 1;
    await this.#given.store.nodes.drain(this.#life, until, reason).finally(() => {
      this.#written += 1;
    });
    await this.#leaveRounds();
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
    if (alone || this.#replaced) return "kept";
    if (now - this.#renewedAt < RENEW_MS) {
      if (now - this.#lookedAt >= LOOK_MS) await this.#look(now);
      return "kept";
    }
    if (await this.#isOff()) return "kept";
    const lapsed = this.#life !== null && now - this.#renewedAt >= LEASE_MS;
    const life = this.#life ?? (await this.#begin(now));
    const names = this.leavesToOthers ? [] : this.#names;
    const held = await store.transaction(async ({ nodes, rounds }) =>
      (await nodes.seen(life, now, this.#room.freeDiskBytes))
        ? rounds.hold(names, life, { now, until: now + LEASE_MS })
        : null,
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
    await this.#look(now);
    this.#renewedAt = now;
    if (lapsed || this.#presentSince === null) this.#presentSince = now;
    return lapsed ? "lapsed" : "kept";
  }

  /** Reads which others run, and whether somebody has this node drained. */
  async #look(now: number): Promise<void> {
    const { store, node } = this.#given;
    const written = this.#written;
    const known = await store.nodes.list();
    this.#others = presentBeside(known, node, now);
    this.#lookedAt = now;
    const own = known.find(({ name, epoch }) => name === node && epoch === this.#life?.epoch);
    const isFresh = written % 2 === 0 && written === this.#written;
    if (own !== undefined && isFresh) this.#drainUntil = own.drainUntil;
    if (own !== undefined) this.#checkKey(own);
    await this.#leaveRounds();
  }

  /** Only this process may write its key. Somebody who replaces it can read the tokens made for this machine. */
  #checkKey({ publicKey }: NodeRow): void {
    const { log, node } = this.#given;
    const isOther = publicKey !== this.#given.publicKey;
    if (isOther && !this.#keyReplaced)
      log.error(
        { node },
        "somebody has replaced the key of this machine in the database, and can read tokens that are made for it: change the database's password, end its other connections, and restart Flotilla on this machine",
      );
    this.#keyReplaced = isOther;
  }

  async #leaveRounds(): Promise<void> {
    const { store, log } = this.#given;
    if (this.#life === null || this.#held.size === 0 || !this.leavesToOthers) return;
    this.#held = new Set();
    // Left unreleased, they are the others' when their lease ends.
    await store.rounds.release(this.#life).catch((error: unknown) => {
      log.warn({ error: messageOf(error) }, "rounds not left to the other nodes yet");
    });
  }

  /** A node by whose clock leases end too early or too late says so, and begins nothing until its clock is set. */
  async #isOff(): Promise<boolean> {
    const { store, clock, log, node } = this.#given;
    const asked = clock.now();
    const time = await store.nodes.time();
    // The database answers at some time in between, which is long where it hangs.
    const ahead = time === null ? 0 : Math.max(asked - time, 0) || Math.min(clock.now() - time, 0);
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
    const { store, node: name, version, reads, publicKey, memoryBytes } = this.#given;
    const roles = writtenRoles(this.#given.roles);
    const epoch = await store.nodes.begin({ name, version, reads, roles, publicKey, memoryBytes, now });
    this.#life = { name, epoch };
    return this.#life;
  }
}
