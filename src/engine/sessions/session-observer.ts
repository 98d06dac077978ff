import type { RuntimeEvent } from "../../domain/ports/agent-runtime.ts";

/** Follows what happens in one agent's session, for as long as its awake period lasts. */
export interface SessionObserver {
  /** Told of each event as it happens, in order. A turn over the limit is not told. */
  observe(event: RuntimeEvent): void;
  /** After each exchange, and before the driver acts on its end: resolves when what was observed is in the database. Never rejects. */
  flush(): Promise<void>;
}
