import type { Clock } from "../../domain/ports/clock.ts";
import type { ServiceEnd, ServiceHost } from "../../domain/ports/service-host.ts";
import type { ServiceFailure, Services } from "../../domain/services/service.ts";
import { withTimeout } from "../../time/with-timeout.ts";

/** A service is tried four times a second. */
export const TRY_EVERY_MS = 250;
/** How long the confined side may take to tell the end of a service's output. */
const LOG_MS = 5_000;

export interface Start {
  /** Absolute; each service has a directory of its name in it. */
  readonly directory: string;
  /** Stops waiting. */
  readonly signal: AbortSignal;
}

/**
 * Starts services and resolves when each is ready or has failed; returns those that failed, or ended since. Later ends are
 * told by the host's listeners alone.
 */
export async function startServices(
  clock: Clock,
  host: ServiceHost,
  services: Services,
  { directory, signal }: Start,
): Promise<readonly ServiceFailure[]> {
  const ends = new Map<string, ServiceEnd>();
  host.onEnd((end) => ends.set(end.name, end));
  const aborted = whenAborted(signal);
  const entries = Object.entries(services);
  for (const [name, { run, ready }] of entries)
    host.start({ name, run, ready, directory: `${directory}/${name}` });

  /** Returns the end of its output where the service was not ready in time; else null. */
  const late = async (name: string, withinMs: number): Promise<string | null> => {
    const until = clock.now() + withinMs;
    while (!signal.aborted && !ends.has(name)) {
      const next = pause(clock, TRY_EVERY_MS);
      const tried = Promise.race([host.isReady(name), aborted]);
      if (await withTimeout(clock, Math.max(1, until - clock.now()), tried, () => false)) return null;
      if (ends.has(name)) return null;
      if (clock.now() >= until) return withTimeout(clock, LOG_MS, host.log(name), () => "");
      await Promise.race([next, aborted]);
    }
    return null;
  };

  const logs = await Promise.all(entries.map(([name, { withinMs }]) => late(name, withinMs)));
  return entries.flatMap(([name, service], at): readonly ServiceFailure[] => {
    const log = logs[at] ?? null;
    const end = ends.get(name) ?? null;
    // Where it ended, something else may have answered in its place.
    return end === null && log === null ? [] : [{ name, service, end, log: end?.log ?? log ?? "" }];
  });
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}

function whenAborted(signal: AbortSignal): Promise<false> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(false);
    signal.addEventListener("abort", () => resolve(false), { once: true });
  });
}
