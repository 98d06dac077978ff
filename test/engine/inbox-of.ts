import { EVENTS, isUsedEvent } from "../../src/webhooks/events/table.ts";
import { CLAIM } from "../factories/leases.ts";
import type { Rig } from "./rig.ts";

/** Reads and handles what waits in the inbox, as the intake does; returns `event.action` of each, in order. */
export async function takeIn(rig: Rig): Promise<readonly string[]> {
  const { github, store, identity, log, ownSettings } = rig.context;
  const { repositories, deliveries } = store;
  const tools = {
    settings: rig.context.settings,
    ownSettings,
    github,
    repositories,
    deliveries,
    identity,
    clock: rig.clock,
    log,
  };
  const taken: string[] = [];
  for (;;) {
    const rows = await deliveries.claim({ ...CLAIM, now: rig.clock.now(), limit: 10 });
    if (rows.length === 0) return taken;
    for (const { guid, event, action, payload } of rows) {
      const name = action === null ? event : `${event}.${action}`;
      if (!isUsedEvent(name)) throw new Error(`nobody reads ${name}`);
      taken.push(name);
      const reading = await EVENTS[name]({ id: guid, payload: JSON.parse(payload) as unknown }, tools);
      if ("ignored" in reading) await rig.engine.ignore(guid, reading.ignored, CLAIM.token);
      else await rig.engine.handle(reading, CLAIM.token);
      await rig.idle();
    }
  }
}
