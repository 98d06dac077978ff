import { join } from "node:path";
import type { Config } from "../config/load-config.ts";
import { agentHosts, agentReadsRegistries } from "../domain/access/confinement.ts";
import type { TriedCommand } from "../domain/commands/tried-command.ts";
import type { CommandResult, Runner } from "../domain/ports/runner.ts";
import type { ServiceHost } from "../domain/ports/service-host.ts";
import { type ServiceFailure, type Services, serviceVariables } from "../domain/services/service.ts";
import type { Settings } from "../domain/settings/settings.ts";
import { runBeside } from "../engine/services/run-beside.ts";
import { commandEnvironment } from "../server/command-environment.ts";
import { systemClock } from "../server/system-clock.ts";

/** How commands of a repository are run without an agent. */
export interface AsForAgent {
  readonly config: Pick<Config, "sandbox">;
  readonly runner: Runner;
  /** The repository's. */
  readonly setup: Settings["setup"];
  readonly services: Services;
  readonly timeoutMs: number;
}

/** Where a command runs; all absolute. */
export interface CommandPlace {
  readonly path: string;
  readonly home: string;
  readonly cache: string;
}

interface Task {
  readonly place: CommandPlace;
  readonly command: Pick<TriedCommand, "kind" | "command">;
  readonly signal: AbortSignal;
  readonly mark: string;
  readonly maxOutputBytes: number;
}

/**
 * Runs one setup or acceptance command confined as for an agent, an acceptance command beside the services. `result` is null
 * where the signal, or the service in `failure`, kept it from running.
 */
export async function runAsForAgent(
  how: AsForAgent,
  task: Task,
): Promise<{ readonly result: CommandResult | null; readonly failure: ServiceFailure | null }> {
  const { runner, services } = how;
  if (task.command.kind === "setup" || Object.keys(services).length === 0)
    return { result: await inPlace(how, task), failure: null };
  const host = await runner.services();
  const { result, failures } = await runBeside(systemClock, host, {
    services: [services],
    directory: join(task.place.home, "services"),
    signal: task.signal,
    run: (signal) => inPlace(how, { ...task, signal }, host),
  });
  const [failure = null] = failures;
  return { result: failure === null ? result : null, failure };
}

function inPlace(
  { config, runner, setup, services, timeoutMs }: AsForAgent,
  { place: { path, home, cache }, command: { kind, command }, signal, mark, maxOutputBytes }: Task,
  beside?: ServiceHost,
): Promise<CommandResult> {
  const caches = kind === "setup" && setup.cache.length > 0;
  return runner.run(
    {
      file: "/bin/sh",
      args: ["-c", command],
      cwd: path,
      env: {
        ...setup.environment,
        ...(beside === undefined ? {} : serviceVariables(services)),
        ...commandEnvironment(process.env),
        HOME: home,
        TMPDIR: home,
        CI: "true",
        ...(caches ? { FLOTILLA_CACHE: cache } : {}),
      },
    },
    {
      writable: [path, home, ...(caches ? [cache] : [])],
      readable: [],
      hosts: kind === "setup" ? setup.network : agentHosts(config),
      registries: kind === "setup" || agentReadsRegistries(config),
      ...(beside === undefined ? {} : { services: beside }),
      mark,
      timeoutMs,
      signal,
      maxOutputBytes,
    },
  );
}
