import { messageOf } from "../../domain/kernel/errors.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { SessionObserver } from "./session-observer.ts";
import { type Observed, SessionRecord } from "./session-record.ts";

/** All observers of one session; each receives every event, whether or not another fails. */
export interface SessionObservers extends SessionObserver {
  /** Records what the gate decides. */
  readonly record: SessionRecord;
}

export function observersOf(context: EngineContext, observed: Observed): SessionObservers {
  const record = new SessionRecord(context, observed);
  const observers: readonly SessionObserver[] = [
    observed.meter,
    record,
    observed.guards,
    observed.instructions,
    observed.keeper,
  ];
  return {
    record,
    observe(event) {
      for (const observer of observers)
        try {
          observer.observe(event);
        } catch (error) {
          context.log.error({ error: messageOf(error), agent: observed.agent.name }, "observer failed");
        }
    },
    flush: async () => {
      for (const observer of observers) await observer.flush();
    },
  };
}
