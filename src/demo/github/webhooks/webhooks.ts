import { randomUUID } from "node:crypto";
import { createSerial } from "../http/serial.ts";
import { createDeliveryLog, type Delivery, type DeliveryLog, type Pending } from "./deliveries.ts";
import { type HookOwner, postWebhook } from "./post.ts";

/** What a test does with a webhook: `drop` loses it (recorded as failed), `hold` keeps it until `release`. */
type Fate = "send" | "drop" | "twice" | "hold";

export interface Webhooks {
  /** Decides on every webhook before it is sent. Tests set it. */
  filter: (pending: Pending) => Fate;
  /** Sends held webhooks: the given ones in that order, or else all in the order in which they happened. */
  readonly release: (which?: readonly Pending[]) => void;
  readonly held: () => readonly Pending[];
  /** Returns every attempt, newest first. */
  readonly deliveries: DeliveryLog["list"];
  readonly find: DeliveryLog["find"];
  readonly queue: (pending: Omit<Pending, "guid" | "redelivery">) => void;
  /** Sends a delivery again under its GUID, as GitHub does for a redelivery. */
  readonly redeliver: (delivery: Delivery) => void;
  /** Resolves when nothing is queued. Held webhooks do not count. */
  readonly idle: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Creates the App's webhooks. They are posted one after another, in the order in which things happened. */
export function createWebhooks(app: HookOwner, nextId: () => number, nowMs: () => number): Webhooks {
  const log = createDeliveryLog(nextId, nowMs);
  const serial = createSerial();
  const ended = new AbortController();
  let held: Pending[] = [];

  const send = (pending: Pending): void => {
    void serial(async () => {
      if (ended.signal.aborted || app.hook.url === "") return;
      const delivery = await postWebhook(app, pending, nowMs, ended.signal);
      if (!ended.signal.aborted) log.add(delivery);
    });
  };
  const lose = (pending: Pending): void => {
    const nothing = {
      requestHeaders: {},
      responseHeaders: {},
      responseBody: "",
      seconds: 0,
      url: app.hook.url,
    };
    log.add({ ...pending, ...nothing, at: nowMs(), status: "dropped on the way", statusCode: 0 });
  };
  const dispatch = (pending: Pending): void => {
    const fate = webhooks.filter(pending);
    if (fate === "drop") lose(pending);
    if (fate === "hold") held.push(pending);
    if (fate === "send" || fate === "twice") send(pending);
    if (fate === "twice") send(pending);
  };
  const idle = async (): Promise<void> => await serial(async () => undefined);

  const webhooks: Webhooks = {
    filter: () => "send",
    release: (which = held) => {
      const going = which.slice();
      for (const pending of going) {
        held = held.filter((entry) => entry !== pending);
        send(pending);
      }
    },
    held: () => held,
    deliveries: log.list,
    find: log.find,
    queue: (pending) => dispatch({ ...pending, guid: randomUUID(), redelivery: false }),
    redeliver: ({ guid, event, action, body, repositoryId }) =>
      dispatch({ guid, event, action, body, repositoryId, redelivery: true }),
    idle,
    close: async () => {
      ended.abort();
      await idle();
    },
  };
  return webhooks;
}
