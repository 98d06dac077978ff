import PQueue from "p-queue";
import {
  type Asked,
  type LostWindow,
  lostWindow,
  missedDeliveries,
  sweepSince,
} from "../../domain/backfill/missed-deliveries.ts";
import { type AtCrashPoint, neverCrash } from "../../domain/kernel/crash-points.ts";
import { GitHubError, messageOf } from "../../domain/kernel/errors.ts";
import type { SweepTable } from "../../domain/ports/audit-tables.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import type { HookAttempt, HookDeliveries } from "../../domain/ports/github-app.ts";
import type { Log } from "../../domain/ports/log.ts";
import type { DeliveryTable } from "../../domain/ports/store.ts";

const BETWEEN_MS = 10 * 60_000;
/** Delay after a sweep that GitHub did not answer, or that left deliveries for later. */
const SOON_MS = 60_000;

/** The result of a sweep: how many webhooks were requested, and how many missing ones were left for later. */
interface Swept {
  readonly asked: number;
  readonly later: number;
}

export interface Sweeper {
  /** Runs a sweep when one is due; never rejects. A concurrent call joins it. */
  tick(): Promise<void>;
  /**
   * Runs a sweep at once that requests everything missing, however often it was requested. Throws
   * `GitHubError`.
   */
  now(): Promise<Swept>;
  /** Starts no further sweep; resolves when none is under way. */
  stop(): Promise<void>;
}

export interface SweeperOptions {
  readonly github: HookDeliveries;
  readonly deliveries: Pick<DeliveryTable, "known">;
  readonly sweeps: SweepTable;
  /**
   * When the newest delivery of an earlier process arrived, in milliseconds since the epoch; null for none.
   */
  readonly newest: number | null;
  /** Reads again what can be read when webhooks are lost. The sweep is not done before it resolves. */
  readonly onLost: (lost: LostWindow) => Promise<void>;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  readonly crashPoint?: AtCrashPoint;
}

/**
 * Finds webhooks that never arrived and asks GitHub to deliver them again, which GitHub does not do by
 * itself: at the start and every ten minutes, back to the oldest missing one. They then arrive like any other
 * webhook.
 */
export function createSweeper(options: SweeperOptions): Sweeper {
  const { github, sweeps, clock, log, crashPoint = neverCrash } = options;
  const asked = new Map<string, Asked>();
  /** Deliveries that GitHub no longer has. */
  const lost = new Set<string>();
  const reported = new Set<string>();
  let dueAt = 0;
  let stopped = false;
  const queue = new PQueue({ concurrency: 1 });

  async function sweep(before: ReadonlyMap<string, Asked>): Promise<Swept> {
    const now = clock.now();
    dueAt = now + SOON_MS;
    const last = await sweeps.last();
    // A new database has missed nothing; earlier events must not be handled.
    const found = last === null ? { oldest: null, asked: 0, later: 0 } : await catchUp(last, now, before);
    crashPoint("sweep:done");
    await sweeps.done(Math.min(now, found.oldest ?? now));
    if (found.later === 0) dueAt = now + BETWEEN_MS;
    return { asked: found.asked, later: found.later };
  }

  async function catchUp(
    last: number,
    now: number,
    before: ReadonlyMap<string, Asked>,
  ): Promise<Swept & { readonly oldest: number | null }> {
    // Everything before the last sweep had arrived; a sweep may also reach back to one webhook that never
    // did.
    const beyond = lostWindow(Math.max(last, options.newest ?? 0), now);
    if (beyond !== null) await options.onLost(beyond);
    const attempts = await github.hookAttempts(sweepSince(last, now));
    const known = await options.deliveries.known([...new Set(attempts.map(({ guid }) => guid))]);
    const missed = missedDeliveries(attempts, { known: known.union(lost), asked: before, now });
    const { redeliver, later, stubborn, oldest } = missed;
    reportOnce(stubborn);
    for (const attempt of redeliver) await ask(attempt, now);
    if (redeliver.length > 0)
      log.warn({ deliveries: redeliver.length, later }, "missed webhooks requested again");
    return { asked: redeliver.length, later, oldest };
  }

  async function ask(attempt: HookAttempt, now: number): Promise<void> {
    try {
      await github.redeliver(attempt.id);
      asked.set(attempt.guid, { times: (asked.get(attempt.guid)?.times ?? 0) + 1, at: now });
    } catch (error) {
      // A delivery that GitHub no longer has must not delay the others.
      if (!(error instanceof GitHubError && (error.code === "not_found" || error.code === "invalid")))
        throw error;
      lost.add(attempt.guid);
      log.warn({ ...about(attempt), error: error.message }, "webhook lost: GitHub cannot redeliver it");
    }
  }

  function reportOnce(stubborn: readonly HookAttempt[]): void {
    for (const attempt of stubborn) {
      if (reported.has(attempt.guid)) continue;
      reported.add(attempt.guid);
      log.error(about(attempt), "webhook missing after repeated redelivery requests");
    }
  }

  return {
    async tick() {
      if (queue.pending === 0 && !stopped && clock.now() >= dueAt) {
        void queue
          .add(() => sweep(asked))
          .catch((error: unknown) => log.warn({ error: messageOf(error) }, "missed webhooks not searched"));
      }
      await queue.onIdle();
    },
    now: () => queue.add(async () => (stopped ? { asked: 0, later: 0 } : sweep(new Map()))),
    async stop() {
      stopped = true;
      await queue.onIdle();
    },
  };
}

function about({ event, guid }: HookAttempt) {
  return { event, delivery: guid };
}
