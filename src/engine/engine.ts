import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate } from "node:timers/promises";
import type { LostWindow } from "../domain/backfill/missed-deliveries.ts";
import type { DomainEvent } from "../domain/events/domain-event.ts";
import { isRepositoryEvent, type RepositoryEvent } from "../domain/events/repository-event.ts";
import { GRACEFUL_PAUSE_MS } from "../domain/kernel/backoff.ts";
import { messageOf } from "../domain/kernel/errors.ts";
import type { Life } from "../domain/ports/node-tables.ts";
import type { Invariants } from "../domain/ports/settings-tables.ts";
import { newRoom } from "./agents/room.ts";
import { startAgents } from "./agents/start-agents.ts";
import { WaitsPoll } from "./agents/waits-poll.ts";
import { catchUp } from "./backfill/catch-up.ts";
import { askedModels } from "./breakers/asked-models.ts";
import { othersSpending } from "./breakers/day-budget.ts";
import { DayLedger } from "./breakers/day-ledger.ts";
import { DiskWatch } from "./breakers/disk-watch.ts";
import { watchIncidents } from "./breakers/incidents.ts";
import { ProviderBreaker } from "./breakers/provider-breaker.ts";
import { createOperations, type Operations } from "./commands/operations.ts";
import { OperatorFileRound } from "./commands/operator-files.ts";
import { EXECUTORS } from "./executors.ts";
import { handle, ignore } from "./handle.ts";
import { handleRepositoryEvent } from "./handle-repository-event.ts";
import { atWorkHere } from "./kernel/at-work-here.ts";
import { ChangeSignal } from "./kernel/change-signal.ts";
import type { EngineContext } from "./kernel/engine-context.ts";
import type { HoldUnreadable } from "./kernel/readable.ts";
import { Retention } from "./kernel/retention.ts";
import { tokenPruner } from "./kernel/token-pruner.ts";
import { MergeQueueRounds } from "./merge-queue/round.ts";
import { Dispatcher } from "./outbox/dispatcher.ts";
import { redactingCommits, redactingGitHub } from "./outbox/redacting-github.ts";
import { DraftsPoll } from "./planning/drafts-poll.ts";
import { PlanRound } from "./planning/plan-round.ts";
import { questionTender } from "./questions/tend.ts";
import { BrokenRows } from "./recovery/broken-rows.ts";
import { CanaryWatch } from "./recovery/canary-watch.ts";
import { CutOff } from "./recovery/cut-off.ts";
import { drainRound, handOver } from "./recovery/drain.ts";
import { openAlone, suspects } from "./recovery/lone-openings.ts";
import { lostNodes, stopMovedOn } from "./recovery/lost-nodes.ts";
import { Nodes } from "./recovery/nodes.ts";
import type { OwnOutcomes } from "./recovery/own-outcomes.ts";
import { agentsOf, DRAINED, type Recovered, recover, suspendAgent } from "./recovery/recover.ts";
import { Watchdog } from "./recovery/watchdog.ts";
import { REGISTRY } from "./registry.ts";
import { watchReviewLeases } from "./review/watch-leases.ts";
import { ScheduleRound } from "./schedules/schedule-round.ts";
import { Drivers } from "./sessions/drivers.ts";
import { redactingRuntime } from "./sessions/redacting-runtime.ts";
import { settingsParts } from "./settings/parts.ts";
import { reminders } from "./status/remind-people.ts";
import { ShownHolds } from "./status/shown-holds.ts";
import { watchTaskLeases } from "./tasks/task-facts.ts";
import { TidyMirrors } from "./tasks/tidy-mirrors.ts";
import { toolKinds, toolsFor } from "./tools/catalog.ts";

/** How long a stop may take until the work of the agents is saved, for others to continue it. */
const HAND_OVER_MS = 14_000;

/** The engine as the composition root and the tests use it. */
export interface Engine {
  /**
   * Handles an event of the inbox; resolves once everything that follows is committed. `claim`: the token of its
   * delivery's claim. Throws `LostClaim`, with nothing committed, when another has claimed it meanwhile.
   */
  handle(event: DomainEvent | RepositoryEvent, claim?: string): Promise<void>;
  ignore(delivery: string, reason: string, claim?: string): Promise<void>;
  /** Reads again what a long absence may have lost. Idempotent. Throws `GitHubError`. */
  catchUp(lost: LostWindow): Promise<void>;
  /** Recovers what an earlier process left; call it before the first tick. */
  recover(): Promise<Recovered>;
  /** Returns a round that only one node at a time runs: it does nothing while another one holds it. */
  once(name: string, round: () => Promise<void>): () => Promise<void>;
  /**
   * Runs one round: the operator's files, watchdog, then starts and wakes, then effects. Resolves with the number of effects begun.
   */
  tick(): Promise<number>;
  /** Reads the free space, and the agents' disk use when that is due. */
  watchDisk(): Promise<void>;
  /** Requests a round soon; many calls cause one. */
  poke(): void;
  /** Looks for what another node may have left for this one; many calls cause one round. */
  othersWrote(): void;
  /**
   * Resolves when no effect is under way and no agent is in an exchange; agents may still wait for time or
   * people.
   */
  idle(): Promise<void>;
  /** Returns how many nodes ask GitHub for something, this one included, as far as it knows. */
  nodeCount(): number;
  /** Returns whether this node may take what any node can do, such as a delivery. */
  mayTake(): boolean;
  /** Returns whether it is drained, and leaves that to other nodes. */
  leavesToOthers(): boolean;
  /** Returns this life of the node; null before it has begun, and where nobody else uses the database. */
  life(): Life | null;
  /** Returns whether a node without the App's key runs, which may ask for tokens. */
  othersAskForTokens(): boolean;
  readonly operations: Operations;
  /** Drains: begins no effect, ends the exchanges, puts every ACTIVE agent to sleep (restart). */
  stop(): Promise<void>;
}

/** The parts of the context that the engine creates itself. */
type Made =
  | "changed"
  | "toolKind"
  | "diskRoom"
  | "room"
  | "shownHolds"
  | "nodes"
  | "ledger"
  | "providerBreaker"
  | "settingsOf"
  | "allSettings"
  | "roleOf"
  | "useOf"
  | "registry";

export function createEngine(
  given: Omit<EngineContext, Made> & { readonly invariants: Invariants; readonly outcomes: OwnOutcomes },
): Engine {
  const changeSignal = new ChangeSignal();
  const changed = (): void => {
    changeSignal.tell();
    poke();
  };
  const shownHolds = new ShownHolds();
  const room = newRoom();
  const nodes = new Nodes(given, room);
  const { roles } = given;
  const context: EngineContext = {
    ...given,
    ...settingsParts(given.ownSettings),
    github: redactingGitHub(given.github, given.redact),
    worktrees: redactingCommits(given.worktrees, given.redact),
    runtimes: new Map([...given.runtimes].map(([name, one]) => [name, redactingRuntime(one, given)])),
    ledger: new DayLedger((id) => given.ownSettings.of(id)),
    providerBreaker: new ProviderBreaker({
      ...given,
      asks: (agent) => askedModels(context, context.useOf(agent)),
      changed,
    }),
    diskRoom: { refusal: null },
    room,
    shownHolds,
    nodes,
    changed,
    toolKind: toolKinds(given.runtimes),
    registry: REGISTRY,
  };
  const settled = (effectId: number, withinMs: number): Promise<void> => {
    poke();
    return worker.settled(effectId, withinMs);
  };
  const drivers = new Drivers(context, {
    settled,
    toolsFor,
    rest: (agent) => suspendAgent(context, agent, { words: DRAINED }),
    unwritten: (agentId, token) => cutOff.unwritten(agentId, token),
  });
  const worker = new Dispatcher(context, {
    executors: EXECUTORS,
    drivers: () => drivers,
    onSettled: () => poke(),
  });
  const isBusy = () => poked || drivers.busy() > 0 || worker.busy();
  const cutOff = new CutOff(context, drivers);
  const diskWatch = new DiskWatch(context, drivers);
  const tidyMirrors = new TidyMirrors(context);
  const broken = new BrokenRows(context, given.invariants, drivers);
  const holdUnreadable: HoldUnreadable = (id, error) => broken.holdUnreadable(id, error);
  const watchdog = new Watchdog(context, drivers, holdUnreadable);
  const operatorFiles = new OperatorFileRound(context, { drivers, settled });
  const rounds: readonly (() => Promise<void>)[] = [
    () => operatorFiles.round(),
    roundOf(new CanaryWatch(context, { nodes, broken, outcomes: given.outcomes })),
    () => drainRound(context, nodes, drivers),
    () => worker.tellSettledElsewhere(),
    () => watchdog.roundOfNode(),
    othersSpending(context),
    nodes.once("limits", () => () => watchdog.roundOfFleet()),
    nodes.once("lost_nodes", () => lostNodes(context)),
    nodes.once("invariants", () => () => broken.round()),
    nodes.once("questions", () => questionTender(context, holdUnreadable)),
    nodes.once("reminders", () => reminders(context, holdUnreadable)),
    nodes.once("task_leases", () => () => watchTaskLeases(context, holdUnreadable)),
    nodes.once("review_leases", () => () => watchReviewLeases(context)),
    nodes.once("incidents", () => () => watchIncidents(context)),
    nodes.once("tokens", () => tokenPruner(context)),
    () => context.ownSettings.round(),
    nodes.once("waits", () => roundOf(new WaitsPoll(context))),
    nodes.once("drafts", () => roundOf(new DraftsPoll(context))),
    nodes.once("plans", () => roundOf(new PlanRound(context))),
    nodes.once("schedules", () => roundOf(new ScheduleRound(context))),
    nodes.once("merge_queues", () => roundOf(new MergeQueueRounds(context))),
    nodes.once("retention", () => roundOf(new Retention(context))),
  ];
  // Runs rounds outside the caller's async context, so that log lines of a round do not carry the caller's
  // name.
  const apart = AsyncLocalStorage.snapshot();
  let last: Promise<number> = Promise.resolve(0);
  let poked = false;
  let stopped = false;
  /**
   * True while it recovers: other openings wait until the agents that may have ended the process are open.
   */
  let recovering = false;

  async function renew(): Promise<void> {
    cutOff.endInTime();
    if ((await nodes.renew()) === "lapsed") await stopMovedOn(context, drivers);
    await cutOff.rest();
  }

  async function offer(): Promise<number> {
    if (stopped || recovering) return 0;
    await renew();
    if (!nodes.mayBegin) return 0;
    await broken.recheckReleased();
    if (roles.has("runner") && !nodes.isDraining) await startAgents(context, holdUnreadable);
    await shownHolds.round(context);
    return worker.tick();
  }

  /** Counts what was under way before as begun: settled meanwhile, it may leave work that this round has not seen. */
  async function offerOrBusy(): Promise<number> {
    return Number(isBusy()) + (await offer());
  }

  async function full(): Promise<number> {
    if (!stopped) {
      for (const round of rounds) {
        await broken.spare(round);
        // A database may answer without leaving the event loop; this lets other work run between two rounds.
        await setImmediate();
      }
      if (roles.has("controller") || roles.has("runner")) tidyMirrors.begin();
    }
    return offer();
  }

  /**
   * Chains rounds so that they never overlap: each begins when the previous one has ended, even by an error.
   */
  function after(round: () => Promise<number>): Promise<number> {
    last = last.then(round, round);
    return last;
  }

  function poke(): void {
    if (poked || stopped) return;
    poked = true;
    setImmediate()
      .then(() => {
        poked = false;
        return apart(after, offer);
      })
      .catch((error: unknown) => {
        context.log.error({ error }, "engine round failed");
      });
  }

  return {
    async handle(event, claim) {
      if (isRepositoryEvent(event)) await handleRepositoryEvent(context, event, claim);
      else await handle(context, event, claim);
      poke();
    },
    ignore: (delivery, reason, claim) => ignore(context, delivery, reason, claim),
    catchUp: (lost) => catchUp(context, lost),
    async recover() {
      await renew();
      await context.ownSettings.load();
      recovering = true;
      try {
        const suspected = roles.has("runner") ? await agentsOf(context, await suspects(context.store)) : [];
        const recovered = await recover(context);
        await diskWatch.tick();
        await broken.check();
        await openAlone(context, { drivers, worker }, suspected);
        return recovered;
      } finally {
        recovering = false;
        poke();
      }
    },
    async tick() {
      await renew();
      return after(full);
    },
    once: (name, round) => nodes.once(name, () => round),
    // Runs outside the rounds: counting files takes longer than a round may.
    watchDisk: async () => (stopped ? undefined : apart(() => diskWatch.tick())),
    poke,
    othersWrote() {
      changed();
      apart(() => worker.tellSettledElsewhere()).catch((error: unknown) => {
        context.log.warn({ error: messageOf(error) }, "not seen yet what other nodes have settled");
      });
    },
    async idle() {
      for (let left = true; left || isBusy(); ) {
        await worker.idle();
        await drivers.settled();
        // Lets a round that was asked for take its place before this one.
        if (poked) await setImmediate();
        const round = after(offerOrBusy);
        left = (await round) > 0 || last !== round;
      }
    },
    nodeCount: () => nodes.count,
    mayTake: () => nodes.mayBegin && !nodes.leavesToOthers,
    leavesToOthers: () => nodes.leavesToOthers,
    life: () => nodes.life,
    othersAskForTokens: () => nodes.askForTokens,
    operations: createOperations(context, { drivers, nodes, changeSignal, settled }),
    async stop() {
      stopped = true;
      const until = given.clock.now() + HAND_OVER_MS;
      if (given.alone) worker.stop();
      else worker.leave();
      // The others begin at once what this node leaves.
      await nodes.drain(given.clock.now()).catch((error: unknown) => {
        context.log.warn(
          { error: messageOf(error) },
          "stop not recorded: the other nodes wait for the end of the lease",
        );
      });
      await last.catch(() => 0);
      const active = await atWorkHere(context);
      await drivers.close();
      const pauseMs = given.alone ? GRACEFUL_PAUSE_MS : 0;
      await Promise.all(active.map((agent) => suspendAgent(context, agent, { pauseMs })));
      if (!given.alone) await handOver(context, worker, until);
      worker.stop();
      await worker.idle();
      await nodes.stop();
    },
  };
}

function roundOf(one: { round(): Promise<void> }): () => Promise<void> {
  return () => one.round();
}
