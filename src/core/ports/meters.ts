import type { EffectKind } from "../effect.ts";
import type { AgentState } from "../machines/agent-record.ts";
import type { DeliveryRow } from "../rows.ts";

/** What waits in the database at this moment. */
export interface Waiting {
  /** Deliveries that are not done: waiting, being handled, or given up. */
  readonly deliveries: readonly {
    readonly state: Extract<DeliveryRow["state"], "pending" | "claimed" | "dead">;
    readonly count: number;
  }[];
  /** When the oldest waiting one was received, milliseconds since the epoch; null when none waits. */
  readonly oldestDelivery: number | null;
  readonly effects: readonly {
    readonly kind: EffectKind;
    readonly state: "pending" | "leased";
    readonly count: number;
  }[];
  /** When the oldest effect that waits was decided. */
  readonly oldestEffect: number | null;
  readonly agents: readonly { readonly role: string; readonly state: AgentState; readonly count: number }[];
  /** Bytes of the database without its write-ahead log. */
  readonly databaseBytes: number;
}

export interface MeterTable {
  /** Reads indexes only. */
  waiting(): Promise<Waiting>;
}
