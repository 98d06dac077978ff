import { access, constants } from "node:fs/promises";
import type { Clock } from "../../domain/ports/clock.ts";
import type { Command, Reach, Runner } from "../../domain/ports/runner.ts";
import type { Egress } from "./egress/egress.ts";
import { LIMITED } from "./limits.ts";
import { killMarkedProcesses, markedProcesses } from "./marked-processes.ts";
import { type GitView, mounts } from "./mounts.ts";
import { notStarted, runCommand } from "./run-command.ts";
import { underFilter } from "./seccomp/under-filter.ts";
import { systemView } from "./system-view.ts";
import { withWayOut } from "./way-out.ts";

/** Of the host, for every sandbox. */
export interface SandboxHost {
  readonly clock: Clock;
  /** Absolute path of bwrap. */
  readonly bwrap: string;
  /** Directories of the host with something of its own in them: home, data, configuration. No PATH opens them. */
  readonly hidden: readonly string[];
  /** The ways out of those sandboxes that have one. */
  readonly egress: Pick<Egress, "directoryFor">;
  /** git's data of the worktree that is this directory; null when it is none. */
  readonly gitOf: (directory: string) => GitView | null;
}

/**
 * No capability, no namespace shared with the host, none to be made inside, no terminal; the end of bwrap, which ends with
 * us, ends every process in there. Which system calls it may make: `seccomp-filter.ts`.
 */
const ALONE = (
  "--unshare-all --unshare-user --disable-userns --die-with-parent --new-session " +
  "--cap-drop ALL --uid 1000 --gid 1000 --hostname agent"
).split(" ");

/** A runner that confines by bubblewrap. */
export function createBubblewrapRunner(host: SandboxHost): Runner {
  const confine = async (asked: Command, reach: Reach, more: readonly string[]): Promise<Command> => {
    const out = reach.hosts.length === 0 ? null : await host.egress.directoryFor(reach.hosts);
    const { command, mounts: way } = out === null ? { command: asked, mounts: [] } : withWayOut(asked, out);
    const args = [
      ...ALONE,
      ...more,
      ...systemView(),
      ...(await mounts(command, reach, { hidden: host.hidden, git: host.gitOf(command.cwd) })),
      ...way,
      "--remount-ro",
      "/",
      "--chdir",
      command.cwd,
      "--",
      ...LIMITED,
      command.file,
      ...command.args,
    ];
    return { ...command, ...underFilter(host.bwrap, args) };
  };
  return {
    description: "agents are confined by bubblewrap",
    confine: (command, reach) => confine(command, reach, []),
    async run(command, options) {
      // bwrap could only say that something did not run.
      await access(command.file, constants.X_OK).catch((error: unknown) => {
        throw notStarted(command, error);
      });
      const confined = await confine(command, options, ["--json-status-fd", "3"]);
      return runCommand(confined, { ...options, wrapped: true }, host.clock);
    },
    killMarked: killMarkedProcesses,
    countMarked: async (marks) => (await markedProcesses(marks)).length,
  };
}
