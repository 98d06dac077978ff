import { createSecretKey } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type AtCrashPoint, neverCrash } from "../../domain/kernel/crash-points.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import type { Log } from "../../domain/ports/log.ts";
import type { DeliveryTable } from "../../domain/ports/store.ts";
import { type Asked, answerText, type Route } from "../../http/http-server.ts";
import { InFlightCount } from "../../http/under-way.ts";
import { withTimeout } from "../../time/with-timeout.ts";
import { deliveryGuid, readDelivery } from "./read-delivery.ts";
import { claimedDigest, isSigned } from "./signature.ts";

export const WEBHOOK_PATH = "/api/github/webhooks";

/** GitHub sends at most 25 MB. */
const MAX_BYTES = 25 * 1024 * 1024;

/**
 * How long a delivery may take to be stored, as when the database hangs: GitHub gives up after ten seconds. One whose
 * commit has begun may be stored later all the same, and is known when it arrives again.
 */
const STORE_MS = 8_000;

/** Constant answers: a caller learns only the status. */
const BODIES = {
  202: "Accepted\n",
  400: "Bad request\n",
  401: "Bad signature\n",
  405: "Method not allowed\n",
  413: "Payload too large\n",
  415: "Unsupported media type\n",
  503: "Try again later\n",
} as const;
type Status = keyof typeof BODIES;

export interface WebhookRouteOptions {
  readonly secret: string;
  /** Accepted as well while a new secret is rolled out. */
  readonly previousSecret: string | undefined;
  readonly deliveries: Pick<DeliveryTable, "insert">;
  readonly clock: Pick<Clock, "now" | "after">;
  readonly log: Log;
  /** Called after a commit, so that the consumer checks at once. */
  readonly onStored: () => void;
  readonly crashPoint?: AtCrashPoint;
  /**
   * Counts deliveries once their signature is verified: slow requests by strangers must not delay other work.
   */
  readonly underWay?: Pick<InFlightCount, "during">;
  /** Maximum size of a body; 25 MiB by default. */
  readonly maxBytes?: number;
}

/**
 * Creates the durable webhook route. 202 means that the delivery is on disk. Parses nothing before the
 * signature over the raw bytes is verified; the size limit and the server's limits bound what an unsigned
 * caller can cause.
 */
export function createWebhookRoute(options: WebhookRouteOptions): Route {
  const {
    log,
    clock,
    maxBytes = MAX_BYTES,
    crashPoint = neverCrash,
    underWay = new InFlightCount(),
  } = options;
  const secrets = [options.secret, options.previousSecret]
    .filter((secret) => secret !== undefined)
    .map((secret) => createSecretKey(secret, "utf8"));
  let hangs = false;
  const commits = createGroupCommit(async (batch: Parameters<DeliveryTable["insert"]>[0]) => {
    try {
      await options.deliveries.insert(batch);
      hangs = false;
    } catch (error) {
      log.error({ deliveries: batch.length, error: messageOf(error) }, "webhooks not stored");
      throw error;
    }
    crashPoint("delivery:written");
    options.onStored();
  });

  async function receive({ request, body: read }: Asked): Promise<Status | "gone"> {
    const claimed = claimedDigest(request.headers["x-hub-signature-256"]);
    const early = refusalByHeaders(request) ?? (claimed === undefined ? 401 : undefined);
    const body = await read({ maxBytes, keep: early === undefined });
    if (body === "gone") return "gone";
    if (body === "full") return 503;
    if (early !== undefined) return early;
    if (body === "too_large") return 413;
    if (claimed === undefined || !isSigned(body, claimed, secrets)) return 401;
    const delivery = readDelivery(request.headers, body, clock.now());
    if (delivery === undefined) return 400;
    const stored = underWay
      .during(() => commits.add(delivery))
      .then(
        () => 202 as const,
        () => 503 as const,
      );
    return withTimeout(clock, STORE_MS, stored, () => {
      // GitHub keeps what it was refused: kept here as well, this would fill the memory while the database hangs.
      commits.drop(delivery);
      if (!hangs) log.error({ afterMs: STORE_MS }, "webhooks not stored: the database does not answer");
      hangs = true;
      return 503 as const;
    });
  }

  async function respond(asked: Asked): Promise<void> {
    const status = await receive(asked);
    if (status === "gone") return;
    if (status !== 202 && status !== 503) {
      log.warn({ status, delivery: deliveryGuid(asked.request.headers) }, "webhook refused");
    }
    answerText(asked, status, BODIES[status], status === 405 ? { allow: "POST" } : {});
  }

  return (asked) => (asked.target.path === WEBHOOK_PATH ? respond(asked) : null);
}

function refusalByHeaders(request: IncomingMessage): 405 | 415 | undefined {
  if (request.method !== "POST") return 405;
  const type = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  return type === "application/json" ? undefined : 415;
}

/**
 * Most turns of the event loop that an item waits before its commit begins; a turn takes some microseconds.
 */
const LONGEST_TURNS = 200;
/**
 * Turns without another item after which the commit begins: it runs beside the loop, so waiting longer costs
 * more than it saves.
 */
const QUIET_TURNS = 1;

interface GroupCommit<T> {
  /** Resolves when the item is committed, and rejects for the whole group when the commit fails. */
  readonly add: (item: T) => Promise<void>;
  /** Forgets an item whose commit has not begun; its promise rejects. */
  drop(item: T): void;
}

/** Groups everything that arrives during a commit into the next commit, of at most `limit` items. */
export function createGroupCommit<T>(
  commit: (items: readonly T[]) => Promise<void>,
  limit = 200,
): GroupCommit<T> {
  let waiting: { item: T; done: PromiseWithResolvers<void> }[] = [];
  let busy = false;

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      await gathered();
      const group = waiting.slice(0, limit);
      waiting = waiting.slice(limit);
      try {
        await commit(group.map(({ item }) => item));
        for (const { done } of group) done.resolve();
      } catch (error) {
        for (const { done } of group) done.reject(error);
      }
    }
    busy = false;
  }

  /**
   * Waits while more items arrive, because an fsync costs far more than the turns; the next commit takes them
   * along.
   */
  async function gathered(): Promise<void> {
    let before = 0;
    let quiet = 0;
    for (let turn = 0; turn < LONGEST_TURNS && quiet < QUIET_TURNS && waiting.length < limit; turn += 1) {
      quiet = waiting.length > before ? 0 : quiet + 1;
      before = waiting.length;
      await new Promise(setImmediate);
    }
  }

  return {
    add(item) {
      const done = Promise.withResolvers<void>();
      waiting.push({ item, done });
      if (!busy) {
        busy = true;
        void drain();
      }
      return done.promise;
    },
    drop(item) {
      for (const { done } of waiting.filter((one) => one.item === item)) done.reject(new Error("dropped"));
      waiting = waiting.filter((one) => one.item !== item);
    },
  };
}
