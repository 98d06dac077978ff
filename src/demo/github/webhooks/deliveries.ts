/** One attempt to deliver one webhook, as the App's deliveries API shows it. */
export interface Delivery {
  readonly id: number;
  readonly guid: string;
  readonly event: string;
  readonly action: string | null;
  readonly body: string;
  readonly repositoryId: number | null;
  readonly redelivery: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly seconds: number;
  readonly status: string;
  /**
   * 200 to 599; 502 if there was no answer, 504 if the answer took too long, 0 if the webhook was dropped on the way.
   */
  readonly statusCode: number;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: string;
}

/** A webhook that is waiting to be sent. */
export interface Pending {
  readonly guid: string;
  readonly event: string;
  readonly action: string | null;
  readonly body: string;
  readonly repositoryId: number | null;
  readonly redelivery: boolean;
}

/** GitHub keeps deliveries for three days. */
const keptMs = 3 * 24 * 3600 * 1000;

export interface DeliveryLog {
  readonly add: (delivery: Omit<Delivery, "id">) => Delivery;
  /** Returns the deliveries, newest first. */
  readonly list: () => readonly Delivery[];
  readonly find: (id: number) => Delivery | undefined;
}

export function createDeliveryLog(nextId: () => number, nowMs: () => number): DeliveryLog {
  let entries: Delivery[] = [];
  const list = (): readonly Delivery[] => {
    entries = entries.filter((delivery) => delivery.at > nowMs() - keptMs);
    return entries.toReversed();
  };
  return {
    add: (delivery) => {
      const entry = { id: nextId(), ...delivery };
      entries.push(entry);
      return entry;
    },
    list,
    find: (id) => list().find((delivery) => delivery.id === id),
  };
}
