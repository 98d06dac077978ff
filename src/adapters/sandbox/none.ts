import type { Clock } from "../../domain/ports/clock.ts";
import type { Runner } from "../../domain/ports/runner.ts";
import { killMarkedProcesses, markedProcesses } from "./marked-processes.ts";
import { runCommand } from "./run-command.ts";

/** Creates a runner that confines nothing: agents have all rights of the user that runs Flotilla. */
export function createUnconfinedRunner(clock: Clock): Runner {
  return {
    description:
      "agents run unconfined: they can read and write what this user can, and reach the network; we share their files, so their processes are stopped while our git works on these; use private repositories only",
    confine: (command) => Promise.resolve(command),
    run: async (command, options) => ({
      ...(await runCommand(command, { ...options, wrapped: false }, clock)),
      refusedHosts: [],
      refusals: [],
    }),
    killMarked: killMarkedProcesses,
    countMarked: async (marks) => (await markedProcesses(marks)).length,
  };
}
