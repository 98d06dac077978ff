import type { RuntimeEvent } from "../../domain/ports/agent-runtime.ts";

/** Observes one agent's session during its awake period. */
export interface SessionObserver {
  /** Receives each event as it happens, in order, except a turn above the limit. */
  observe(event: RuntimeEvent): void;
  /**
   * Called after each exchange, before the driver acts on its end. Resolves when the observations are in the
   * database. Never rejects.
   */
  flush(): Promise<void>;
}
