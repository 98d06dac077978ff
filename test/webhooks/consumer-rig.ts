import type { DeliveryRow } from "../../src/domain/kernel/rows.ts";
import { createDeliveryConsumer, type Received } from "../../src/webhooks/queue/delivery-consumer.ts";
import { createMemoryInbox } from "./memory-inbox.ts";
import { createMemoryLog } from "./memory-log.ts";
import { stoppedClock } from "./stopped-clock.ts";

type Receive = (delivery: DeliveryRow, claim: string) => Promise<Received>;

/** A consumer with everything around it. */
export function consumerRig(receive: Receive, options: { concurrency?: number; maxAttempts?: number } = {}) {
  const inbox = createMemoryInbox();
  const clock = stoppedClock();
  const log = createMemoryLog();
  let claims = 0;
  const consumer = createDeliveryConsumer({
    deliveries: inbox,
    receive,
    node: "here",
    nonce: () => `claim-${(claims += 1)}`,
    clock,
    log,
    concurrency: 4,
    ...options,
  });
  return { inbox, clock, log, consumer };
}

/** Handlers that run until the test ends them. */
export function heldHandlers() {
  const running = new Map<string, () => void>();
  const begun: string[] = [];
  let change = Promise.withResolvers<void>();
  return {
    begun,
    receive: async ({ guid }: DeliveryRow): Promise<Received> => {
      begun.push(guid);
      change.resolve();
      change = Promise.withResolvers<void>();
      await new Promise<void>((resolve) => running.set(guid, resolve));
      return { ignored: "seen" };
    },
    end: (guid: string) => running.get(guid)?.(),
    async whenBegun(...guids: string[]): Promise<void> {
      while (!guids.every((guid) => begun.includes(guid))) await change.promise;
    },
  };
}
