import { setImmediate } from "node:timers/promises";
import { type AgentRecord, isLive, LIVE_AGENT_STATES } from "../../domain/agents/agent-record.ts";
import { isUnreadableRow, messageOf, StaleSnapshot } from "../../domain/kernel/errors.ts";
import type { Invariants, Violation } from "../../domain/ports/settings-tables.ts";
import { advanceAgent, agentMove } from "../kernel/advance-agent.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { readable } from "../kernel/readable.ts";
import type { Drivers } from "../sessions/drivers.ts";

/** Agents read by one statement. */
const IN_ONE = 200;

/** People create circles on GitHub and read about them on the issues; no row is broken by one. */
const OF_PEOPLE = "blocked_by_has_no_cycle";

/**
 * Holds every agent whose rows violate an invariant until a person decides. A violation that concerns no
 * agent is only logged.
 */
export class BrokenRows {
  readonly #context: EngineContext;
  readonly #invariants: Invariants;
  readonly #drivers: Drivers;
  #checkedAt: number;
  /** Agents held by this check; one that a person released is checked again before it may start. */
  readonly #held = new Set<number>();
  /** Agents of other nodes whose lease was over at the last check. */
  #lateElsewhere: ReadonlySet<number> = new Set();
  /** Unreadable rows already logged, since each round meets them again. */
  readonly #said = new Set<string>();

  constructor(context: EngineContext, invariants: Invariants, drivers: Drivers) {
    this.#context = context;
    this.#invariants = invariants;
    this.#drivers = drivers;
    this.#checkedAt = context.clock.now();
  }

  /** Runs the check once per `reconcile_every`. */
  async round(): Promise<void> {
    const { clock, settings } = this.#context;
    if (clock.now() - this.#checkedAt >= settings.reconcileEveryMs) await this.check();
  }

  /** Runs the check at once when a person has released a held agent; called before each start and wake. */
  async recheckReleased(): Promise<void> {
    for (const id of this.#held) {
      const agent = await this.#context.store.records.get("agent", id);
      if (agent?.heldBy.includes("invariant") === true) continue;
      this.#held.delete(id);
      if (agent !== undefined && isLive(agent)) return this.check();
    }
  }

  /**
   * Holds an agent that has an unreadable row. An agent that waits for a person rests anyway, and one whose
   * own row is unreadable cannot be written; these are only logged for the operator.
   */
  async holdUnreadable(agentId: number, error: unknown): Promise<void> {
    this.#say(error);
    const agent = await this.#read(agentId);
    if (agent !== undefined && agent.state !== "ESCALATED") await this.#hold(agent, messageOf(error));
  }

  /** Runs a round; an unreadable row ends this round but no other. */
  async spare(round: () => Promise<void>): Promise<void> {
    try {
      await round();
    } catch (error) {
      if (!isUnreadableRow(error)) throw error;
      this.#say(error);
    }
  }

  /** Logs unreadable agents, because lists leave them out. */
  async #tellUnreadable(): Promise<void> {
    const { store } = this.#context;
    const ids = await store.records.ids("agent", { state: LIVE_AGENT_STATES });
    for (let from = 0; from < ids.length; from += IN_ONE) {
      const some = ids.slice(from, from + IN_ONE);
      const read = new Set((await readable(store, "agent", { id: some })).map(({ id }) => id));
      for (const id of some) if (!read.has(id)) await this.#read(id);
      await setImmediate();
    }
  }

  async #read(agentId: number): Promise<AgentRecord | undefined> {
    try {
      return await this.#context.store.records.get("agent", agentId);
    } catch (error) {
      if (!isUnreadableRow(error)) throw error;
      this.#say(error);
      return undefined;
    }
  }

  #say(error: unknown): void {
    if (this.#said.has(messageOf(error))) return;
    this.#said.add(messageOf(error));
    this.#context.log.error({ error }, "database row not read: everything else continues without it");
  }

  async check(): Promise<void> {
    const { clock, log } = this.#context;
    this.#checkedAt = clock.now();
    await this.#tellUnreadable();
    const violations = await this.#violations();
    this.#lateElsewhere = new Set(await this.#late(violations.all));
    for (const violation of violations.left) {
      log.error({ ...violation }, "an invariant of the lifecycles is broken");
      if (violation.rule === OF_PEOPLE) continue;
      for (const agent of await this.#concerned(violation))
        await this.#hold(agent, `its rows in the database break the rule ${violation.rule}`);
    }
  }

  /** Returns the violations that are Flotilla's own. */
  async found(): Promise<readonly Violation[]> {
    return (await this.#violations()).left.filter(({ rule }) => rule !== OF_PEOPLE);
  }

  async #violations(): Promise<{ readonly all: readonly Violation[]; readonly left: readonly Violation[] }> {
    const all = await this.#invariants.checkInvariants(this.#context.clock.now());
    const left: Violation[] = [];
    for (const violation of all) left.push(await this.#withoutLost(violation));
    return { all, left: left.filter(({ ids }) => ids.length > 0) };
  }

  /**
   * Leaves out agents whose lease is over because their node is lost: `lost-nodes.ts` puts them to rest, but not before
   * it may judge, and that takes longer where this node has been away, too. A node that has just begun again puts its own
   * to rest, so those of others count only at the second check.
   */
  async #withoutLost(violation: Violation): Promise<Violation> {
    const { alone, node, nodes } = this.#context;
    if (alone || violation.rule !== "active_has_lease") return violation;
    const agents = await this.#agentsOf(violation);
    const lost = agents.filter(
      (agent) => agent.node !== node && !(nodes.isElsewhere(agent) && this.#lateElsewhere.has(agent.id)),
    );
    const left = new Set(lost.map(({ id }) => id));
    return { ...violation, ids: violation.ids.filter((id) => !left.has(id)) };
  }

  /** Returns the agents of other nodes that run whose lease is over. */
  async #late(violations: readonly Violation[]): Promise<readonly number[]> {
    const { alone, node, nodes } = this.#context;
    const late = violations.find(({ rule }) => rule === "active_has_lease");
    if (alone || late === undefined) return [];
    const agents = await this.#agentsOf(late);
    return agents.filter((agent) => agent.node !== node && nodes.isElsewhere(agent)).map(({ id }) => id);
  }

  #agentsOf({ ids }: Violation): Promise<readonly AgentRecord[]> {
    return readable(this.#context.store, "agent", { id: ids });
  }

  /** Returns the live agents that a violation concerns; for a task, those that may work on its issue. */
  async #concerned({ table, ids }: Violation): Promise<readonly AgentRecord[]> {
    const { store } = this.#context;
    if (table === "agent") return (await readable(store, "agent", { id: ids })).filter(isLive);
    const agents: AgentRecord[] = [];
    for (const { repositoryId, issue, assigneeId } of table === "task"
      ? await readable(store, "task", { id: ids })
      : []) {
      const live = (await readable(store, "agent", { repositoryId, issue })).filter(isLive);
      agents.push(...live.filter(({ coder, id }) => coder || id === assigneeId));
    }
    return agents;
  }

  /**
   * Logs an agent whose run is unreadable: it cannot move, not even into a hold, until somebody corrects that
   * row.
   */
  async #leave(agent: AgentRecord, error: unknown): Promise<void> {
    this.#held.delete(agent.id);
    this.#say(error);
    if (agent.state === "ACTIVE") await this.#drivers.stop(agent.id);
  }

  async #hold(agent: AgentRecord, why: string): Promise<void> {
    const { store, clock, log, nodes } = this.#context;
    // The row may be one of the newer version, which goes on with the agent.
    if (nodes.isBesideNewer) return;
    this.#held.add(agent.id);
    if (agent.heldBy.includes("invariant")) return;
    const event = { type: "PAUSE", at: clock.now(), actor: "flotilla", holder: "invariant", why } as const;
    try {
      const { moved } = await advanceAgent(this.#context, agent, { moves: [agentMove(agent, event)] });
      // An agent that waits for a person cannot be paused, but is held all the same.
      if (moved.length === 0)
        await store.records.save("agent", agent, { ...agent, heldBy: [...agent.heldBy, "invariant"] });
    } catch (error) {
      if (isUnreadableRow(error)) return this.#leave(agent, error);
      // The agent has moved meanwhile; the next check finds it again if it is still broken.
      if (!(error instanceof StaleSnapshot)) log.error({ error, agent: agent.name }, "it could not be held");
    }
    // A pause also ends the process; this call ends it where no pause can be written.
    if (agent.state === "ACTIVE") await this.#drivers.stop(agent.id);
    log.error(
      { agent: agent.name, why },
      "an agent is held because its rows are broken: see `flotilla doctor`, then kill and revive it",
    );
  }
}
