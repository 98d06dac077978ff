import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate } from "node:timers/promises";
import { GRACEFUL_PAUSE_MS } from "../core/backoff.ts";
import type { LostWindow } from "../core/missed-deliveries.ts";
import type { Occurrence } from "../core/occurrence.ts";
import type { Invariants } from "../core/ports/invariants.ts";
import { isRepositoryNews, type RepositoryNews } from "../core/repository-news.ts";
import { BrokenRows } from "./broken-rows.ts";
import { catchUp } from "./catch-up.ts";
import { Changes } from "./changes.ts";
import type { EngineContext } from "./context.ts";
import { DayLedger } from "./day-ledger.ts";
import { DiskWatch } from "./disk-watch.ts";
import { dispatch } from "./dispatch.ts";
import { DraftsPoll } from "./drafts-poll.ts";
import { Drivers } from "./drivers.ts";

import { handle, ignore } from "./handle.ts";
import { watchIncidents } from "./incidents.ts";
import { openAlone, suspects } from "./lone-openings.ts";
import { LongSleepers } from "./long-sleepers.ts";
import { modelWall } from "./model-wall.ts";
import { createOperations, type Operations } from "./operations/operations.ts";
import { commitWall, outwardWall } from "./outward-wall.ts";
import { Parking } from "./parking.ts";
import { PlanRound } from "./plan-round.ts";
import { tokenPruner } from "./prune-tokens.ts";
import { questionTender } from "./questions/tend.ts";
import { readable, type SetAside } from "./readable.ts";
import { putToRest, type Recovered, recover } from "./recover.ts";
import { remindPeople } from "./remind.ts";
import { handleRepositoryNews } from "./repository-news.ts";
import { settingsParts } from "./repository-settings/parts.ts";
import { Retention } from "./retention.ts";
import { watchReviewLeases } from "./review/watch-leases.ts";
import { ShownHolds } from "./shown-holds.ts";
import { watchTaskLeases } from "./task-facts.ts";
import { TidyMirrors } from "./tidy-mirrors.ts";
import { ToolHosts } from "./tool-host.ts";
import { TrainRounds } from "./train/round.ts";
import { WaitsPoll } from "./waits-poll.ts";
import { Watchdog } from "./watchdog.ts";
import { Worker } from "./worker.ts";

/** The engine as the composition root and the tests see it. */
export interface Engine {
  /** From the intake; resolves once everything that follows is committed. */
  handle(told: Occurrence | RepositoryNews): Promise<void>;
  ignore(delivery: string, reason: string): Promise<void>;
  /** Reads again what may be lost after a long absence; twice does no more than once. Throws `GitHubError`. */
  catchUp(lost: LostWindow): Promise<void>;
  /** Puts right what an earlier life left; before the first tick. */
  recover(): Promise<Recovered>;
  /** One round: watchdog, then starts and wakes, then effects. Resolves with how many effects were begun. */
  tick(): Promise<number>;
  /** Reads the free space, and looks at who takes it when that is due. */
  watchDisk(): Promise<void>;
  /** A round soon; many calls make one. */
  poke(): void;
  /** Resolves when no effect is under way and no agent is talking; what waits for time or people may remain. */
  idle(): Promise<void>;
  readonly operations: Operations;
  /** Drain: no new effects, exchanges ended, every ACTIVE agent put to sleep (restart). */
  stop(): Promise<void>;
}

/** What the engine makes itself, from what it is given. */
type Made =
  | "changed"
  | "diskRoom"
  | "shownHolds"
  | "ledger"
  | "parking"
  | "settingsOf"
  | "allSettings"
  | "roleOf";

export function createEngine(given: Omit<EngineContext, Made> & { readonly invariants: Invariants }): Engine {
  const changes = new Changes();
  const changed = (): void => {
    changes.tell();
    poke();
  };
  const shownHolds = new ShownHolds();
  const context: EngineContext = {
    ...given,
    ...settingsParts(given.ownSettings),
    github: outwardWall(given.github, given.redact),
    worktrees: commitWall(given.worktrees, given.redact),
    runtime: modelWall(given.runtime, given),
    ledger: new DayLedger((id) => given.ownSettings.of(id)),
    parking: new Parking({ ...given, changed }),
    diskRoom: { refusal: null },
    shownHolds,
    changed,
  };
  const settled = (effectId: number, withinMs: number): Promise<void> => {
    poke();
    return worker.settled(effectId, withinMs);
  };
  const hosts = new ToolHosts(context, settled);
  const drivers = new Drivers(context, hosts);
  const worker = new Worker(context, { drivers: () => drivers, onSettled: () => poke() });
  const waits = new WaitsPoll(context);
  const drafts = new DraftsPoll(context);
  const plans = new PlanRound(context);
  const trains = new TrainRounds(context);
  const retention = new Retention(context);
  const diskWatch = new DiskWatch(context, drivers);
  const tidyMirrors = new TidyMirrors(context);
  const broken = new BrokenRows(context, given.invariants, drivers);
  const aside: SetAside = (id, error) => broken.setAside(id, error);
  const watchdog = new Watchdog(context, drivers, aside);
  const reminded = new LongSleepers(context.store, "may_be_reminded");
  const rounds: readonly (() => Promise<void>)[] = [
    () => watchdog.round(),
    () => broken.round(),
    questionTender(context, aside),
    () => remindPeople(context, reminded, aside),
    () => watchTaskLeases(context, aside),
    () => watchReviewLeases(context),
    () => watchIncidents(context),
    tokenPruner(context),
    () => context.ownSettings.round(),
    () => waits.round(),
    () => drafts.round(),
    () => plans.round(),
    () => trains.round(),
    () => retention.round(),
  ];
  // A round belongs to nobody: what was being done where it was asked for is not named in what it does.
  const apart = AsyncLocalStorage.snapshot();
  let last: Promise<number> = Promise.resolve(0);
  let poked = false;
  let stopped = false;
  /** While it recovers: what is open waits until agents that may have ended the process are opened. */
  let recovering = false;

  async function offer(): Promise<number> {
    if (stopped || recovering) return 0;
    await broken.lookAgain();
    await dispatch(context, aside);
    await shownHolds.round(context);
    return worker.tick();
  }

  async function full(): Promise<number> {
    if (!stopped) {
      for (const round of rounds) {
        await broken.spare(round);
        // SQLite answers at once: without this nobody else gets a turn between two rounds.
        await setImmediate();
      }
      tidyMirrors.begin();
    }
    return offer();
  }

  /** Rounds never overlap: each begins when the one before has ended, however it ended. */
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
        context.log.error({ error }, "a round of the engine failed");
      });
  }

  return {
    async handle(told) {
      if (isRepositoryNews(told)) await handleRepositoryNews(context, told);
      else await handle(context, told);
      poke();
    },
    ignore: (delivery, reason) => ignore(context, delivery, reason),
    catchUp: (lost) => catchUp(context, lost),
    async recover() {
      await context.ownSettings.load();
      recovering = true;
      try {
        const suspected = await suspects(context.store);
        const recovered = await recover(context);
        await diskWatch.tick();
        await broken.look();
        await openAlone(context, { drivers, worker }, suspected);
        return recovered;
      } finally {
        recovering = false;
        poke();
      }
    },
    tick: () => after(full),
    // Apart from the rounds: counting files takes longer than they may.
    watchDisk: async () => (stopped ? undefined : apart(() => diskWatch.tick())),
    poke,
    async idle() {
      for (let begun = 1; begun > 0 || drivers.busy() > 0 || worker.busy(); ) {
        await worker.idle();
        await drivers.settled();
        begun = await after(offer);
      }
    },
    operations: createOperations(context, drivers, changes, settled),
    async stop() {
      stopped = true;
      worker.stop();
      await last.catch(() => 0);
      const active = await readable(context.store, "agent", { state: "ACTIVE" });
      await drivers.close();
      await Promise.all(active.map((agent) => putToRest(context, agent, { pauseMs: GRACEFUL_PAUSE_MS })));
      await worker.idle();
    },
  };
}
