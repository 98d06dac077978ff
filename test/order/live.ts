import type { NewDelivery } from "../../src/domain/kernel/rows.ts";
import type { Settings } from "../../src/domain/settings/settings.ts";
import { withRecording } from "../../src/server/response-recorder.ts";
import { EVENTS, isUsedEvent } from "../../src/webhooks/events/table.ts";
import { createDeliveryConsumer, type Received } from "../../src/webhooks/queue/delivery-consumer.ts";
import { readDelivery } from "../../src/webhooks/receive/read-delivery.ts";
import { createRig, type Rig } from "../engine/rig.ts";
import { aRole } from "../factories/a-role.ts";
import { CLAIMS } from "../factories/leases.ts";
import { MINUTE } from "../factories/moment.ts";
import { rolesOf, someSettings } from "../factories/some-settings.ts";
import { shuffled } from "../random.ts";
import { comesTrue } from "./come-true.ts";
import { type End, endOf } from "./end-of.ts";
import { type Life, placed, type Webhook } from "./life.ts";
import type { Told } from "./lives.ts";

/** In which order the webhooks of a life arrive: as they were sent, or as the numbers from 0 to 1 decide. */
export type Order = "as sent" | (() => number);

/** How many webhooks came, and came again or in a later moment than theirs. */
export interface Arrived {
  readonly webhooks: number;
  again: number;
  late: number;
}

/**
 * Lives through it on a GitHub that is in each moment what it was at that moment's end: of a webhook that is late,
 * GitHub has already gone on. Within a moment they come in any order; some come twice, some again in a later moment,
 * and those that nobody waits for may come in a later moment only.
 */
export async function live(
  life: Life,
  { script }: Told,
  order: Order,
  {
    database = ":memory:",
    settings,
    before,
    after,
  }: {
    readonly database?: string;
    readonly settings?: Partial<Settings>;
    /** Before the first webhook. */
    readonly before?: (rig: Rig) => void;
    /** Before the rig is closed. */
    readonly after?: (rig: Rig) => Promise<void>;
  } = {},
): Promise<{ end: End; arrived: Arrived }> {
  const rig = await createRig({
    script,
    database,
    watched: false,
    settings: settings ?? {
      roles: rolesOf(aRole()),
      evidence: { ...someSettings().evidence, requiredChecks: ["lint"] },
    },
  });
  before?.(rig);
  const hears = consumerOf(rig);
  const arrived = { webhooks: life.moments.flat().length, again: 0, late: 0 };
  let late: Webhook[] = [];
  let known: Webhook[] = [];
  for (const [index, moment] of life.moments.entries()) {
    const own = [...rig.repository.pulls.values()].find(({ headRef }) => headRef.startsWith("flotilla/"));
    const now = moment.map((webhook) => placed(webhook, own?.headSha));
    for (const webhook of now) comesTrue(rig, webhook);
    const isLast = index === life.moments.length - 1;
    const waiting =
      order === "as sent" ? [] : now.filter((one) => !isLast && mayBeLate(one) && order() < 0.3);
    const coming = [...now.filter((one) => !waiting.includes(one)), ...(isLast ? late : [])];
    late = [...late, ...waiting];
    arrived.late += waiting.length;
    known = [...known, ...coming];
    await hears(order === "as sent" ? coming : mixed(coming, known, order, arrived));
    await rig.pass(MINUTE);
  }
  const end = await endOf(rig);
  await after?.(rig);
  await rig.close();
  return { end, arrived };
}

function mixed(
  coming: readonly Webhook[],
  known: readonly Webhook[],
  random: () => number,
  arrived: Arrived,
) {
  const again = known.filter(() => random() < 0.25);
  arrived.again += again.length;
  return shuffled([...coming, ...again], random);
}

/** What is said beside the point. Of the others the next moment is an answer to what follows of them. */
function mayBeLate({ name, payload }: Webhook): boolean {
  const text = JSON.stringify(payload["comment"] ?? payload["label"] ?? null);
  return (
    name === "issues.opened" || (name.startsWith("issue") && /later|Good idea|cancel|neither/.test(text))
  );
}

/** The inbox, the consumer and the readers on the rig's engine; resolves when everything that follows is done. */
function consumerOf(rig: Rig): (webhooks: readonly Webhook[]) => Promise<void> {
  const { store, clock, context } = rig;
  const tools = {
    github: context.github,
    clock,
    log: context.log,
    settings: context.settings,
    ownSettings: context.ownSettings,
    identity: context.identity,
    repositories: store.repositories,
    deliveries: store.deliveries,
  };
  const consumer = createDeliveryConsumer({
    deliveries: store.deliveries,
    ...CLAIMS,
    async receive({ guid, event, action, payload }, claim) {
      const name = action === null ? event : `${event}.${action}`;
      if (!isUsedEvent(name)) return { ignored: `event ${name} is not used` };
      return withRecording(async (): Promise<Received> => {
        const reading = await EVENTS[name]({ id: guid, payload: JSON.parse(payload) }, tools);
        if ("ignored" in reading) await rig.engine.ignore(guid, reading.ignored, claim);
        else await rig.engine.handle(reading, claim);
        return "handled";
      });
    },
    clock,
    log: context.log,
    concurrency: 8,
  });
  return async (webhooks) => {
    for (const webhook of webhooks) {
      const row = rowOf(webhook, clock.now());
      await store.deliveries.insert([row]);
      await consumer.tick();
    }
    await rig.idle();
  };
}

/** As the route that takes webhooks reads it. */
function rowOf({ guid, name, payload }: Webhook, receivedAt: number): NewDelivery {
  const headers = { "x-github-delivery": guid, "x-github-event": name.split(".")[0] };
  const row = readDelivery(headers, Buffer.from(JSON.stringify(payload)), receivedAt);
  if (row === undefined) throw new Error(`${guid} is no webhook`);
  return row;
}
