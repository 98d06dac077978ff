import type { Clock } from "../../domain/ports/clock.ts";
import type { CommandResult } from "../../domain/ports/runner.ts";
import type { ServiceEnd, ServiceHost } from "../../domain/ports/service-host.ts";
import type { ServiceFailure, Services } from "../../domain/services/service.ts";
import { type Start, startServices } from "./start-services.ts";

/** What became of one command beside its services. */
export interface Beside {
  /** Null where the signal, or a service that was not ready, stopped the command. */
  readonly result: CommandResult | null;
  /** The services that kept it from beginning; their output is as they wrote it. */
  readonly failures: readonly ServiceFailure[];
  /** Null where the command ended before its services were ready. */
  readonly ends: readonly ServiceEnd[] | null;
}

interface Options {
  /** Started one after the other: those of the next begin when all before are ready. */
  readonly services: readonly Services[];
  /** Absolute; emptied, and writable for the command. */
  readonly directory: string;
  readonly signal: AbortSignal;
  /** Runs the command, which waits for the host's release. */
  readonly run: (signal: AbortSignal) => Promise<CommandResult | null>;
}

/** Runs one command beside services, which start empty and end with it. */
export async function runBeside(
  clock: Clock,
  host: ServiceHost,
  { services, directory, signal: stop, run }: Options,
): Promise<Beside> {
  const ends: ServiceEnd[] = [];
  const unready = new AbortController();
  const signal = AbortSignal.any([stop, unready.signal]);
  let isReady = false;
  host.onEnd((end) => {
    if (isReady) ends.push(end);
  });
  const starting = startEach(clock, host, services, { directory, signal }).then((failures) => {
    isReady = failures.length === 0;
    if (isReady) host.release();
    else unready.abort();
    return failures;
  });
  try {
    const result = await run(signal);
    const failures = unready.signal.aborted && !stop.aborted ? await starting : [];
    return { result, failures, ends: isReady ? ends : null };
  } finally {
    host.close();
    unready.abort();
    await starting;
  }
}

async function startEach(
  clock: Clock,
  host: ServiceHost,
  groups: readonly Services[],
  start: Start,
): Promise<readonly ServiceFailure[]> {
  for (const services of groups) {
    const failures = await startServices(clock, host, services, start);
    if (failures.length > 0) return failures;
  }
  return [];
}
