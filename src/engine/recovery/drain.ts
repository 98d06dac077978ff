import { OperationError } from "../../domain/commands/operation-fault.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import { hasRole, type NodeRow, type NodeState, nodeState } from "../../domain/recovery/node.ts";
import { withTimeout } from "../../time/with-timeout.ts";
import { atWorkHere } from "../kernel/at-work-here.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { readable } from "../kernel/readable.ts";
import type { Dispatcher } from "../outbox/dispatcher.ts";
import type { Drivers } from "../sessions/drivers.ts";
import type { Nodes } from "./nodes.ts";
import { DRAINED, suspendAgent } from "./recover.ts";

/** The operator has a machine drained, or ends that. */
export interface DrainWish {
  /** Left out: the machine of the process that is asked. */
  readonly node: string | undefined;
  /** How long agents may take to finish their turn; null ends the drain. */
  readonly withinMs: number | null;
  /** `operator:<account>`. */
  readonly by: string;
}

/** How far a machine is with its drain. */
export interface DrainState {
  readonly node: string;
  readonly state: NodeState;
  /** Agents that have not finished their turn. */
  readonly atWork: number;
  /** Agents that rest, and whose work is yet to be saved. */
  readonly saving: number;
  /** The machines that run agents meanwhile. */
  readonly others: readonly string[];
}

/**
 * Puts the agents of this node to rest, while it is drained: those that are in no turn at once, the others when their
 * time is over. Those that end their turn before then rest by themselves.
 */
export async function drainRound(context: EngineContext, nodes: Nodes, drivers: Drivers): Promise<void> {
  const until = nodes.drainUntil;
  if (until === null) return;
  const isOver = context.clock.now() >= until;
  const due = (await atWorkHere(context)).filter(({ id }) => isOver || !drivers.isInExchange(id));
  await Promise.all(
    due.map(async (agent) => {
      await drivers.stop(agent.id);
      await suspendAgent(context, agent, { words: DRAINED });
    }),
  );
}

/**
 * Saves the work of the agents that this node has put to rest, so that another node can continue it. If there is no time to
 * save an agent's work, the other node continues from its last checkpoint.
 */
export async function handOver(
  { clock, log }: EngineContext,
  worker: Dispatcher,
  until: number,
): Promise<void> {
  const save = async (): Promise<void> => {
    while (clock.now() < until && (await worker.tick()) > 0) await worker.idle();
  };
  await withTimeout(clock, until - clock.now(), save(), () => undefined).catch((error: unknown) => {
    log.warn({ error: messageOf(error) }, "the work of agents is not saved once more");
  });
}

/** Drains a node, or ends that. Throws `OperationError` where it cannot be drained. */
export async function drain(context: EngineContext, nodes: Nodes, wish: DrainWish): Promise<DrainState> {
  const { store, clock, log, node: own } = context;
  const { node = own, withinMs, by } = wish;
  const until = withinMs === null ? null : clock.now() + withinMs;
  if (node === own) await nodes.drain(until);
  else if (!(await store.nodes.drain(await runningNode(context, node), until, null))) throw tooOld(node);
  if (until === null) log.info({ node, by }, "drain of a machine ended");
  else log.info({ node, by, until }, "a machine is being drained");
  context.changed();
  return drainState(context, nodes, node);
}

/** Returns how far a node is. Throws `OperationError` not_found. */
export async function drainState(
  context: EngineContext,
  nodes: Nodes,
  node: string = context.node,
): Promise<DrainState> {
  const { store, clock, node: own, alone } = context;
  const here = alone ? {} : { node };
  const known = await store.nodes.list();
  const row = known.find(({ name }) => name === node);
  if (row === undefined && node !== own) throw unknownNode(node);
  const atWork = await store.records.ids("agent", { state: "ACTIVE", ...here });
  const closing = await store.effects.find({ kind: "close_session", state: ["pending", "leased"] });
  const agents = await readable(store, "agent", { id: closing.flatMap(({ agentId }) => agentId ?? []) });
  const now = clock.now();
  const ownState = nodes.isDraining ? "draining" : "running";
  return {
    node,
    state: row === undefined || node === own ? ownState : nodeState(row, now),
    atWork: atWork.length,
    saving: agents.filter((agent) => alone || agent.node === node).length,
    others: known
      .filter((one) => one.name !== node && nodeState(one, now) === "running" && hasRole(one, "runner"))
      .map(({ name }) => name),
  };
}

async function runningNode({ store, clock }: EngineContext, node: string): Promise<NodeRow> {
  const row = (await store.nodes.list()).find(({ name }) => name === node);
  if (row === undefined) throw unknownNode(node);
  const state = nodeState(row, clock.now());
  if (state === "running" || state === "draining") return row;
  throw refused(
    `${node} does not run: it is ${state}`,
    "nothing is left to drain: the others have its agents",
  );
}

const unknownNode = (node: string) =>
  refused(
    `no machine ${node} uses this database`,
    "name one that the overview lists; without a name, it is this machine",
  );

const tooOld = (node: string) =>
  refused(
    `the version of Flotilla on ${node} cannot be drained from here`,
    "stop it there with SIGTERM: its agents rest, and the others take them over",
  );

function refused(why: string, hint: string): OperationError {
  return new OperationError({ code: "not_steered", why, hint });
}
