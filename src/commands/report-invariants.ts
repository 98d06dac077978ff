import type { Clock } from "../core/ports/clock.ts";
import type { Log } from "../core/ports/log.ts";
import type { OpenStore } from "../store/open.ts";

/** Logs every broken invariant of the lifecycles with its rows; the work goes on. For `now` in milliseconds. */
export async function reportInvariants(
  store: Pick<OpenStore, "checkInvariants">,
  now: number,
  log: Pick<Log, "error">,
): Promise<void> {
  for (const violation of await store.checkInvariants(now))
    log.error({ ...violation }, "an invariant of the lifecycles is broken");
}

/** Makes what is called at each tick: it reports once in `everyMs` (milliseconds), the first time after as long. */
export function invariantChecks(
  store: Pick<OpenStore, "checkInvariants">,
  {
    everyMs,
    clock,
    log,
  }: { readonly everyMs: number; readonly clock: Clock; readonly log: Pick<Log, "error"> },
): () => Promise<void> {
  let last = clock.now();
  return async () => {
    const now = clock.now();
    if (now - last < everyMs) return;
    last = now;
    await reportInvariants(store, now, log);
  };
}
