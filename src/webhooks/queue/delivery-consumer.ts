import { backoff } from "../../domain/kernel/backoff.ts";
import { messageOf, OutsideError } from "../../domain/kernel/errors.ts";
import type { DeliveryRow } from "../../domain/kernel/rows.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import type { Log } from "../../domain/ports/log.ts";
import type { DeliveryTable } from "../../domain/ports/store.ts";

/** Waiting time of a parked delivery whose error names none. */
const PARKED_MS = 60_000;
/** How soon it is tried again to write an outcome down. */
const RECORD_AGAIN_MS = 1_000;
/** Between the tries of one that fails: at first, and at most. */
const FIRST_MS = 5_000;
const LONGEST_MS = 600_000;
const NOTE_LENGTH = 500;

/** `handled`: a handler settled the delivery in its own transaction. */
export type Received = "handled" | { readonly ignored: string };

export interface DeliveryConsumer {
  /**
   * Claims what is due and handles it until nothing is due and nothing runs; returns how many it started. A tick during
   * a tick joins it, and makes it look again. Rejects when the inbox cannot be read.
   */
  tick(): Promise<number>;
  /** A tick for nobody to wait for: a failure is logged. */
  poke(): void;
  /** Resolves when nothing runs; never rejects. */
  idle(): Promise<void>;
  /** Claims nothing more and resolves when what runs is settled. */
  stop(): Promise<void>;
}

interface DeliveryConsumerOptions {
  readonly deliveries: Pick<DeliveryTable, "claim" | "settle" | "retry">;
  readonly receive: (delivery: DeliveryRow) => Promise<Received>;
  readonly clock: Clock;
  readonly log: Log;
  /** Deliveries handled at the same time, each of another lane. */
  readonly concurrency: number;
  /** Failed tries after which a delivery is dead, default 8. */
  readonly maxAttempts?: number;
}

/**
 * Hands stored deliveries to the handlers: in order within a lane (the table only offers a lane's oldest), in parallel
 * across lanes. A failure is tried again later, at last it is `dead`, visible and replayable. No delivery that was
 * taken is left without an outcome.
 */
export function createDeliveryConsumer(options: DeliveryConsumerOptions): DeliveryConsumer {
  const { deliveries, clock, log, maxAttempts = 8 } = options;
  const running = new Set<Promise<void>>();
  let current: Promise<number> | undefined;
  let bell = Promise.withResolvers<void>();
  let rung = false;
  let stopped = false;

  async function round(): Promise<number> {
    let started = 0;
    for (;;) {
      bell = Promise.withResolvers<void>();
      rung = false;
      const rows = await claim();
      started += rows.length;
      for (const row of rows) start(row);
      if (running.size > 0) {
        await Promise.race([...running, bell.promise]);
      } else if (!rung || stopped) {
        // In the same step as the look at `rung`: a tick after this begins a round of its own.
        current = undefined;
        return started;
      }
    }
  }

  async function claim(): Promise<readonly DeliveryRow[]> {
    const free = options.concurrency - running.size;
    if (stopped || free <= 0) return [];
    try {
      return await deliveries.claim({ now: clock.now(), limit: free });
    } catch (error) {
      await Promise.all(running);
      current = undefined;
      throw error;
    }
  }

  function start(row: DeliveryRow): void {
    const done = work(row).finally(() => running.delete(done));
    running.add(done);
  }

  async function work(row: DeliveryRow): Promise<void> {
    const outcome = await options.receive(row).catch((error: unknown) => ({ failed: error }));
    if (outcome !== "handled" && "failed" in outcome) await recorded(row, () => fail(row, outcome.failed));
    else await recorded(row, () => close(row, outcome));
  }

  async function close(row: DeliveryRow, outcome: Received): Promise<void> {
    if (outcome !== "handled") {
      await deliveries.settle(row.guid, "ignored", outcome.ignored, clock.now());
      return;
    }
    const note = "a handler took it and recorded no outcome";
    if (await deliveries.settle(row.guid, "dead", note, clock.now())) {
      log.error({ delivery: row.guid, event: row.event }, "a delivery was left without an outcome");
    }
  }

  async function fail(row: DeliveryRow, error: unknown): Promise<void> {
    const note = describe(error);
    const now = clock.now();
    const fields = { delivery: row.guid, event: row.event, error: note };
    if (error instanceof OutsideError && error.consequence === "park") {
      const notBefore = Math.max(error.retryAt ?? now + PARKED_MS, now + 1);
      log.info({ ...fields, notBefore }, "a delivery waits");
      await deliveries.retry(row.guid, { notBefore, note, countAttempt: false });
      return;
    }
    const failures = row.attempts + 1;
    if (failures >= maxAttempts) {
      log.error(fields, "a delivery is dead");
      await deliveries.settle(row.guid, "dead", note, now);
      return;
    }
    log.warn({ ...fields, failures }, "a delivery failed and is tried again");
    const notBefore = now + backoff(row.attempts, FIRST_MS, LONGEST_MS);
    await deliveries.retry(row.guid, { notBefore, note, countAttempt: true });
  }

  /** An outcome that cannot be written would block its lane until the next start, so it is tried until it can. */
  async function recorded(row: DeliveryRow, write: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        await write();
        return;
      } catch (error) {
        log.error({ delivery: row.guid, error: messageOf(error) }, "an outcome could not be recorded");
        if (stopped) return;
        await new Promise<void>((resolve) => clock.after(RECORD_AGAIN_MS, resolve));
      }
    }
  }

  function tick(): Promise<number> {
    rung = true;
    bell.resolve();
    current ??= round();
    return current;
  }

  async function idle(): Promise<void> {
    await current?.catch(() => undefined);
  }

  return {
    tick,
    poke() {
      void tick().catch((error: unknown) => {
        log.error({ error: messageOf(error) }, "the inbox could not be read");
      });
    },
    idle,
    async stop() {
      stopped = true;
      bell.resolve();
      await idle();
    },
  };
}

function describe(error: unknown): string {
  const text = error instanceof OutsideError ? `${error.code}: ${error.message}` : messageOf(error);
  return text.slice(0, NOTE_LENGTH);
}
