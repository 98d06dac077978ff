import type { Probot } from "probot";
import type { DomainEvent } from "../domain/events/domain-event.ts";
import type { RepositoryEvent } from "../domain/events/repository-event.ts";
import type { ReadingTools } from "./events/parsing.ts";
import { EVENT_NAMES, EVENTS } from "./events/table.ts";

export interface FlotillaAppOptions extends ReadingTools {
  /** Decides what follows and marks the delivery done, in one transaction. */
  readonly handle: (told: DomainEvent | RepositoryEvent) => Promise<void>;
  /** Records why nothing follows and marks the delivery ignored. */
  readonly ignore: (delivery: string, reason: string) => Promise<void>;
}

/**
 * The Probot app: a handler for each webhook that we use. What throws leaves the delivery unsettled, and it is handed
 * in again later.
 */
export function flotillaApp(options: FlotillaAppOptions): (app: Probot) => void {
  return (app) => {
    for (const name of EVENT_NAMES) {
      app.on(name, async ({ id, payload }) => {
        const reading = await EVENTS[name]({ id, payload }, options);
        if ("ignored" in reading) await options.ignore(id, reading.ignored);
        else await options.handle(reading);
      });
    }
  };
}
