import { AsyncLocalStorage } from "node:async_hooks";
import { Probot, ProbotOctokit } from "probot";
import type { DomainEvent } from "../domain/events/domain-event.ts";
import type { RepositoryEvent } from "../domain/events/repository-event.ts";
import { messageOf, OutsideError } from "../domain/kernel/errors.ts";
import type { DeliveryRow } from "../domain/kernel/rows.ts";
import { shapeFault } from "../domain/kernel/shape-fault.ts";
import type { Log } from "../domain/ports/log.ts";
import type { ReadingTools } from "./events/parsing.ts";
import { EVENT_NAMES, EVENTS, isUsedEvent } from "./events/table.ts";
import { installedShape } from "./payload.ts";
import type { Received } from "./queue/delivery-consumer.ts";

/** The token of the claim under which a delivery is handled: Probot passes handlers no more than the webhook. */
const claimHere = new AsyncLocalStorage<string>();

type ReceivedEvent = Parameters<Probot["receive"]>[0];

/**
 * Passes stored deliveries to a Probot app. Silences Probot's log, which prints whole payloads; throws the
 * first error that has a consequence, or else the first error. Disables the retries of Probot's Octokit,
 * which would repeat writes.
 */
export function createReceiver(options: {
  appId: number;
  privateKey: string;
  secret: string;
  /** REST root, such as `https://api.github.com`. */
  baseUrl: string;
  app: (app: Probot) => void;
  log: Log;
}): (
  delivery: Pick<DeliveryRow, "guid" | "event" | "action" | "payload">,
  claim: string,
) => Promise<Received> {
  const probot = new Probot({
    appId: options.appId,
    privateKey: options.privateKey,
    secret: options.secret,
    baseUrl: options.baseUrl,
    // Only the function form keeps Probot from enabling the retries again.
    Octokit: ProbotOctokit.defaults((instance: object) => ({
      ...instance,
      throttle: { enabled: false },
      retry: { enabled: false },
    })),
    logLevel: "fatal",
    logFormat: "json",
  });
  const loaded = probot.ready().then(() => probot.load(options.app));
  loaded.catch((error: unknown) => {
    options.log.error({ error: messageOf(error) }, "Probot app not loaded");
  });

  return async (delivery, claim) => {
    await loaded;
    const { guid, event, action } = delivery;
    const received = { id: guid, name: event, payload: JSON.parse(delivery.payload) as unknown };
    if (!isReceivable(received)) throw new Error("the stored payload is no object");
    const around = installedShape.safeParse(received.payload);
    if (!around.success) return { ignored: `not understood: ${shapeFault(around.error, "payload")}` };
    try {
      await claimHere.run(claim, () => probot.receive(received));
    } catch (error) {
      throw firstCause(error);
    }
    const name = action === null ? event : `${event}.${action}`;
    return isUsedEvent(name) ? "handled" : { ignored: `event ${name} is not used` };
  };
}

/** Narrows the type: Probot lists every event of GitHub's in its types, but accepts any name. */
function isReceivable(received: { id: string; name: string; payload: unknown }): received is ReceivedEvent {
  return typeof received.payload === "object" && received.payload !== null;
}

/**
 * Returns the decisive error: Probot joins the errors of its handlers in an `AggregateError`, which has no
 * consequence.
 */
function firstCause(error: unknown): unknown {
  if (!(error instanceof AggregateError)) return error;
  const errors: readonly unknown[] = error.errors;
  return errors.find((each) => each instanceof OutsideError) ?? errors[0] ?? error;
}

interface FlotillaAppOptions extends ReadingTools {
  /** Decides what follows and marks the delivery done, in one transaction. */
  readonly handle: (event: DomainEvent | RepositoryEvent, claim?: string) => Promise<void>;
  /** Records why nothing follows and marks the delivery with this guid as ignored. */
  readonly ignore: (guid: string, reason: string, claim?: string) => Promise<void>;
}

/**
 * Returns the Probot app, with a handler for each webhook that we use. A handler that throws leaves the delivery
 * unsettled, and it is handled again later.
 */
export function flotillaApp(options: FlotillaAppOptions): (app: Probot) => void {
  return (app) => {
    for (const name of EVENT_NAMES) {
      app.on(name, async ({ id, payload }) => {
        const parsed = await EVENTS[name]({ id, payload }, options);
        const claim = claimHere.getStore();
        if ("ignored" in parsed) await options.ignore(id, parsed.ignored, claim);
        else await options.handle(parsed, claim);
      });
    }
  };
}
