import { GitHubError, messageOf } from "../core/errors.ts";
import { beyondRedelivery, missedDeliveries, sweepSince } from "../core/missed-deliveries.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { HookAttempt, HookDeliveries } from "../core/ports/hook-deliveries.ts";
import type { Log } from "../core/ports/log.ts";
import type { DeliveryTable, SweepTable } from "../core/ports/store.ts";

const BETWEEN_MS = 10 * 60_000;
/** After a sweep that GitHub did not answer, or that left some for later. */
const SOON_MS = 60_000;

export interface Sweeper {
  /** A sweep when one is due; never rejects. A tick during a sweep joins it. */
  tick(): Promise<void>;
  /** Begins none more, and resolves when none is under way. */
  stop(): Promise<void>;
}

export interface SweeperOptions {
  readonly github: HookDeliveries;
  readonly deliveries: Pick<DeliveryTable, "known">;
  readonly sweeps: SweepTable;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
}

/**
 * Finds webhooks that never arrived and asks GitHub for them again, since GitHub does not do that by itself: at the
 * start and every ten minutes, back to the last sweep that came to its end. What is asked for arrives like any other.
 */
export function createSweeper(options: SweeperOptions): Sweeper {
  const { github, sweeps, clock, log } = options;
  const asked = new Map<string, number>();
  const told = new Set<string>();
  let dueAt = 0;
  let stopped = false;
  let current: Promise<void> | undefined;

  async function sweep(): Promise<void> {
    const now = clock.now();
    dueAt = now + SOON_MS;
    const last = await sweeps.last();
    // A new database has missed nothing: what was done before it is not done again.
    if (last !== null) {
      if (beyondRedelivery(last, now))
        log.warn({ since: last }, "away for longer than GitHub can deliver again: some webhooks may be lost");
      if (!(await catchUp(sweepSince(last, now)))) return;
    }
    await sweeps.done(now);
    dueAt = now + BETWEEN_MS;
  }

  /** True when all that was missed has been asked for. */
  async function catchUp(since: number): Promise<boolean> {
    const attempts = await github.hookAttempts(since);
    const known = await options.deliveries.known([...new Set(attempts.map(({ guid }) => guid))]);
    const { redeliver, later, hopeless } = missedDeliveries(attempts, { known, asked });
    tellOnce(hopeless);
    for (const attempt of redeliver) await ask(attempt);
    if (redeliver.length > 0)
      log.warn({ deliveries: redeliver.length, later }, "webhooks that never arrived were asked for again");
    return later === 0;
  }

  async function ask(attempt: HookAttempt): Promise<void> {
    asked.set(attempt.guid, (asked.get(attempt.guid) ?? 0) + 1);
    try {
      await github.redeliver(attempt.id);
    } catch (error) {
      // One that GitHub does not have any more must not keep the others waiting.
      if (error instanceof GitHubError && (error.code === "not_found" || error.code === "invalid"))
        log.warn({ ...about(attempt), error: error.message }, "a webhook cannot be delivered again");
      else throw error;
    }
  }

  function tellOnce(hopeless: readonly HookAttempt[]): void {
    for (const attempt of hopeless) {
      if (told.has(attempt.guid)) continue;
      told.add(attempt.guid);
      log.error(about(attempt), "a webhook was delivered again and again and never taken");
    }
  }

  return {
    async tick() {
      if (current === undefined && !stopped && clock.now() >= dueAt) {
        current = sweep()
          .catch((error: unknown) =>
            log.warn({ error: messageOf(error) }, "missed webhooks could not be looked for"),
          )
          .finally(() => {
            current = undefined;
          });
      }
      await current;
    },
    async stop() {
      stopped = true;
      await current;
    },
  };
}

function about({ event, guid }: HookAttempt) {
  return { event, delivery: guid };
}
