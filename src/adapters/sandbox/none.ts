import type { Clock } from "../../domain/ports/clock.ts";
import type { Command, Runner } from "../../domain/ports/runner.ts";
import type { ServiceHost } from "../../domain/ports/service-host.ts";
import { killMarkedProcesses, markedProcesses } from "./marked-processes.ts";
import { runCommand } from "./run-command.ts";
import { besideServices, createServiceHost } from "./service-host.ts";

/** Creates a runner that confines nothing: agents have all rights of the user that runs Flotilla. */
export function createUnconfinedRunner(clock: Clock): Runner {
  return {
    description:
      "agents run unconfined: they can read and write what this user can, and reach the network; we share their files, so their processes are stopped while our git works on these; use private repositories only",
    confine: (command, { services }) => Promise.resolve(withServices(command, services)),
    run: async (command, options) => ({
      ...(await runCommand(withServices(command, options.services), { ...options, wrapped: false }, clock)),
      refusedHosts: [],
      refusals: [],
    }),
    services: createServiceHost,
    killMarked: killMarkedProcesses,
    countMarked: async (marks) => (await markedProcesses(marks)).length,
  };
}

function withServices(command: Command, services: ServiceHost | undefined): Command {
  return services === undefined ? command : besideServices(command, services, null).command;
}
