import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Role } from "../../domain/agents/role.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { RuntimeEvent, ToolCall } from "../../domain/ports/agent-runtime.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { WriteQueue } from "../outbox/write-queue.ts";
import type { Guards } from "./guards.ts";
import type { Meter } from "./meter.ts";
import { SessionRecord } from "./session-record.ts";

/** Follows what happens in one agent's session, for as long as its awake period lasts. */
export interface SessionObserver {
  /** Told of each event as it happens, in order. A turn over the limit is not told. */
  observe(event: RuntimeEvent): void;
  /** After each exchange, and before the driver acts on its end: resolves when what was observed is in the database. Never rejects. */
  flush(): Promise<void>;
}

/** What every observer may need. */
export interface Observed {
  readonly agent: AgentRecord;
  readonly role: Role;
  /** Counted before the observers are told: `meter.turn` is the turn that an event belongs to. */
  readonly meter: Meter;
  readonly guards: Guards;
  /** Shared, so that rows of all observers stand in the order of the events. */
  readonly writes: WriteQueue;
}

/** All observers of one session; each is told of every event, whatever becomes of it at the others. */
export interface SessionObservers extends SessionObserver {
  /** Told of each call that the gate refused. */
  readonly refused: (call: ToolCall, reason: string) => void;
}

export function observersOf(context: EngineContext, observed: Observed): SessionObservers {
  const record = new SessionRecord(context, observed);
  const observers: readonly SessionObserver[] = [observed.meter, record, observed.guards];
  return {
    refused: (call, reason) => record.refused(call, reason),
    observe(event) {
      for (const observer of observers)
        try {
          observer.observe(event);
        } catch (error) {
          context.log.error({ error: messageOf(error), agent: observed.agent.name }, "an observer failed");
        }
    },
    flush: async () => {
      for (const observer of observers) await observer.flush();
    },
  };
}
