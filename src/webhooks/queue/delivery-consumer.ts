import { backoff } from "../../domain/kernel/backoff.ts";
import { LostClaim, messageOf, OutsideError } from "../../domain/kernel/errors.ts";
import type { DeliveryRow } from "../../domain/kernel/rows.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import type { Log } from "../../domain/ports/log.ts";
import type { DeliveryTable } from "../../domain/ports/store.ts";

/** Delay of a parked delivery whose error names no time. */
const PARKED_MS = 60_000;
/** Delay before an outcome that could not be written is written again. */
const RECORD_AGAIN_MS = 1_000;
/** First and longest delay between the tries of a failing delivery. */
const FIRST_MS = 5_000;
const LONGEST_MS = 600_000;
const NOTE_LENGTH = 500;
/** How long a claim lasts, unless its process ends earlier: longer than any delivery takes. */
const CLAIM_MS = 15 * 60_000;

/** `handled`: a handler settled the delivery in its own transaction. */
export type Received = "handled" | { readonly ignored: string };

export interface DeliveryConsumer {
  /**
   * Claims and handles due deliveries until none is due and none runs; returns how many it started. A
   * concurrent call joins it and makes it check again. Rejects when the inbox cannot be read.
   */
  tick(): Promise<number>;
  /** Starts a tick without waiting; logs a failure. */
  poke(): void;
  /** Resolves when nothing runs; never rejects. */
  idle(): Promise<void>;
  /** Claims no further delivery; resolves when those that run are settled. */
  stop(): Promise<void>;
}

interface DeliveryConsumerOptions {
  readonly deliveries: Pick<DeliveryTable, "claim" | "release" | "settle" | "retry">;
  /** Handles a delivery under the token of its claim. */
  readonly receive: (delivery: DeliveryRow, claim: string) => Promise<Received>;
  /** The name of this machine. */
  readonly node: string;
  /** Returns whether this machine may claim deliveries now; it may when left out. */
  readonly mayClaim?: () => boolean;
  /** Returns a random text; a new one at each call. */
  readonly nonce: () => string;
  readonly clock: Clock;
  readonly log: Log;
  /** Deliveries handled at the same time, each from another lane. */
  readonly concurrency: number;
  /** Failed tries after which a delivery is dead; 8 by default. */
  readonly maxAttempts?: number;
}

/** A delivery with the token of its claim. */
interface Claimed {
  readonly delivery: DeliveryRow;
  readonly token: string;
}

/**
 * Handles stored deliveries: in order within a lane (the table offers only a lane's oldest), in parallel
 * across lanes. Retries failures; after the last one a delivery is `dead`, visible and replayable. Every
 * claimed delivery gets an outcome, unless another has claimed it meanwhile: then that one records it.
 */
export function createDeliveryConsumer(options: DeliveryConsumerOptions): DeliveryConsumer {
  const { deliveries, clock, log, mayClaim = () => true, maxAttempts = 8 } = options;
  const running = new Set<Promise<void>>();
  /** Tokens of claims that failed: the database may have written them all the same. */
  const unanswered = new Set<string>();
  let current: Promise<number> | undefined;
  let bell = Promise.withResolvers<void>();
  let rung = false;
  let stopped = false;
  /** Why deliveries are deferred, and until when. */
  const deferrals = new Map<string, number>();

  async function round(): Promise<number> {
    let started = 0;
    for (;;) {
      bell = Promise.withResolvers<void>();
      rung = false;
      const token = options.nonce();
      const rows = await claim(token);
      started += rows.length;
      for (const delivery of rows) start({ delivery, token });
      if (running.size > 0) {
        await Promise.race([...running, bell.promise]);
      } else if (!rung || stopped) {
        // Reset in the same step as the check of `rung`, so that a later tick starts a round of its own.
        current = undefined;
        return started;
      }
    }
  }

  async function claim(token: string): Promise<readonly DeliveryRow[]> {
    const free = options.concurrency - running.size;
    if (stopped || free <= 0 || !mayClaim()) return [];
    try {
      const { node } = options;
      for (const earlier of unanswered) {
        await deliveries.release(earlier);
        unanswered.delete(earlier);
      }
      unanswered.add(token);
      const rows = await deliveries.claim({ now: clock.now(), leaseMs: CLAIM_MS, limit: free, token, node });
      unanswered.delete(token);
      return rows;
    } catch (error) {
      await Promise.all(running);
      current = undefined;
      throw error;
    }
  }

  function start(claimed: Claimed): void {
    const done = work(claimed).finally(() => running.delete(done));
    running.add(done);
  }

  async function work(claimed: Claimed): Promise<void> {
    const { delivery, token } = claimed;
    const outcome = await options.receive(delivery, token).catch((error: unknown) => ({ failed: error }));
    if (outcome !== "handled" && "failed" in outcome)
      await recorded(delivery, () => fail(claimed, outcome.failed));
    else await recorded(delivery, () => close(claimed, outcome));
  }

  async function close({ delivery, token }: Claimed, outcome: Received): Promise<void> {
    if (outcome !== "handled") {
      if (!(await deliveries.settle(delivery.guid, token, "ignored", outcome.ignored, clock.now())))
        lost(delivery);
      return;
    }
    const note = "a handler took it and recorded no outcome";
    if (await deliveries.settle(delivery.guid, token, "dead", note, clock.now())) {
      log.error(
        { delivery: delivery.guid, event: delivery.event },
        "delivery dead: its handler recorded no outcome",
      );
    }
  }

  async function fail({ delivery, token }: Claimed, error: unknown): Promise<void> {
    if (error instanceof LostClaim) return lost(delivery);
    const note = describe(error);
    const now = clock.now();
    const fields = { delivery: delivery.guid, event: delivery.event, error: note };
    if (error instanceof OutsideError && error.consequence === "park") {
      const notBefore = Math.max(error.retryAt ?? now + PARKED_MS, now + 1);
      // Thousands may wait for the same.
      for (const [why, until] of deferrals) if (until <= now) deferrals.delete(why);
      if (deferrals.has(note)) log.debug({ ...fields, notBefore }, "delivery deferred");
      else
        log.info({ ...fields, notBefore }, "delivery deferred: others that wait for the same are not listed");
      deferrals.set(note, notBefore);
      if (!(await deliveries.retry(delivery.guid, token, { notBefore, note, countAttempt: false })))
        lost(delivery);
      return;
    }
    const failures = delivery.attempts + 1;
    if (failures >= maxAttempts) {
      log.error(fields, "delivery dead: too many failures");
      if (!(await deliveries.settle(delivery.guid, token, "dead", note, now))) lost(delivery);
      return;
    }
    log.warn({ ...fields, failures }, "delivery failed: another attempt follows");
    const notBefore = now + backoff(delivery.attempts, FIRST_MS, LONGEST_MS);
    if (!(await deliveries.retry(delivery.guid, token, { notBefore, note, countAttempt: true })))
      lost(delivery);
  }

  function lost({ guid, event }: DeliveryRow): void {
    log.warn({ delivery: guid, event }, "delivery claimed by another meanwhile: this outcome is dropped");
  }

  /** Retries until the outcome is written: without one the lane would be blocked until the next start. */
  async function recorded(delivery: DeliveryRow, write: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        await write();
        return;
      } catch (error) {
        log.error({ delivery: delivery.guid, error: messageOf(error) }, "delivery outcome not recorded");
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
        log.error({ error: messageOf(error) }, "inbox not read");
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
