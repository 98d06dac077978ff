import { PROCESS_MARK } from "../../domain/breakers/process-mark.ts";
import { OutsideError } from "../../domain/kernel/errors.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import type { Command, Runner } from "../../domain/ports/runner.ts";
import type { ServiceHost } from "../../domain/ports/service-host.ts";
import { type AgentGroups, NO_GROUPS } from "./groups/agent-groups.ts";
import { openPort } from "./host-port.ts";
import { markedProcesses } from "./marked-processes.ts";
import { killInGroups, runInGroup } from "./run-in-group.ts";
import { besideServices, createServiceHost } from "./service-host.ts";

/** Creates a runner that confines nothing: agents have all rights of the user that runs Flotilla. */
export function createUnconfinedRunner(clock: Clock, groups: AgentGroups = NO_GROUPS): Runner {
  return {
    description:
      "agents run unconfined: they can read and write what this user can, and reach the network; we share their files, so their processes are stopped while our git works on these; use private repositories only",
    async confine(command, { services, shownAt = [] }) {
      // They keep the program to its role: it must not run without them.
      const [hidden] = shownAt;
      if (hidden !== undefined)
        throw new OutsideError("command_not_started", `only a sandbox can show an agent ${hidden.seenAt}`, {
          consequence: "tell",
          advice: "Write `sandbox: { mode: bubblewrap }`, or give the role another runtime.",
        });
      return groups.enter(withServices(command, services), command.env[PROCESS_MARK] ?? "").command;
    },
    run: async (command, options) => ({
      ...(await runInGroup(
        groups,
        withServices(command, options.services),
        { ...options, wrapped: false },
        clock,
      )),
      refusedHosts: [],
      refusals: [],
    }),
    services: createServiceHost,
    port: openPort,
    killMarked: (marks) => killInGroups(groups, marks),
    memoryEnd: (mark) => groups.memoryEnd(mark),
    countMarked: async (marks) => (await markedProcesses(marks)).length,
  };
}

function withServices(command: Command, services: ServiceHost | undefined): Command {
  return services === undefined ? command : besideServices(command, services, null).command;
}
