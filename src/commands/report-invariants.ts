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
