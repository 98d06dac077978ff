import { access, constants } from "node:fs/promises";
import type { Registry } from "../../domain/access/registry.ts";
import { PROCESS_MARK } from "../../domain/breakers/process-mark.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import type { Command, Reach, Runner } from "../../domain/ports/runner.ts";
import type { Egress, NetworkReach } from "./egress/egress.ts";
import { type AgentGroups, NO_GROUPS } from "./groups/agent-groups.ts";
import { portInside } from "./host-port.ts";
import { LIMITED } from "./limits.ts";
import { markedProcesses } from "./marked-processes.ts";
import { type GitView, mounts } from "./mounts.ts";
import { notStarted } from "./run-command.ts";
import { killInGroups, runInGroup } from "./run-in-group.ts";
import { underFilter } from "./seccomp/under-filter.ts";
import { besideServices, createServiceHost } from "./service-host.ts";
import { systemView } from "./system-view.ts";
import { OURS_INSIDE, withSockets } from "./way-out.ts";

/** The facts about the host that every sandbox needs. */
export interface SandboxHost {
  readonly clock: Clock;
  /** Absolute path of bwrap. */
  readonly bwrap: string;
  /**
   * Directories of the host with private content: homes, data, configuration. They stay hidden even if they are in
   * PATH.
   */
  readonly hidden: readonly string[];
  /** Network access for the sandboxes that have any. */
  readonly egress: Pick<Egress, "directoryFor" | "open">;
  /** Those that the egress leads to, in its order. */
  readonly registries: readonly Registry[];
  /** Returns git's data of the worktree at this directory; null if it is not a worktree. */
  readonly gitOf: (directory: string) => GitView | null;
  /** Limits what runs for one agent together, around its sandboxes. */
  readonly groups?: AgentGroups;
}

/**
 * No capabilities, no namespaces shared with the host or created inside, no terminal. bwrap ends with us, and every
 * process inside ends with bwrap. `seccomp-filter.ts` says which system calls are allowed.
 */
const ALONE = (
  "--unshare-all --unshare-user --disable-userns --die-with-parent --new-session " +
  "--cap-drop ALL --uid 1000 --gid 1000 --hostname agent"
).split(" ");

/** Creates a runner that confines with bubblewrap. */
export function createBubblewrapRunner(host: SandboxHost): Runner {
  const { groups = NO_GROUPS } = host;
  const registriesOf = (reach: NetworkReach) => (reach.registries ? host.registries : []);
  const hasWayOut = (reach: NetworkReach) => reach.hosts.length > 0 || registriesOf(reach).length > 0;
  /** `out` = the directory of the way out; null for no network. */
  const confine = async (
    asked: Command,
    reach: Reach,
    out: string | null,
    more: readonly string[],
  ): Promise<Command> => {
    const outward = withSockets(
      asked,
      out === null
        ? null
        : { directory: out, hasProxy: reach.hosts.length > 0, registries: registriesOf(reach) },
      reach.port,
    );
    const { command, mounts: beside } =
      reach.services === undefined
        ? { command: outward.command, mounts: [] }
        : besideServices(outward.command, reach.services, OURS_INSIDE);
    const args = [
      ...ALONE,
      ...more,
      ...systemView(),
      ...(await mounts(command, reach, { hidden: host.hidden, git: host.gitOf(command.cwd) })),
      ...(reach.shownAt ?? []).flatMap(({ path, seenAt }) => ["--ro-bind", path, seenAt]),
      ...outward.mounts,
      ...beside,
      "--remount-ro",
      "/",
      "--chdir",
      command.cwd,
      "--",
      ...LIMITED,
      command.file,
      ...command.args,
    ];
    const { [PROCESS_MARK]: mark, ...variables } = command.env;
    const env = mark === undefined ? {} : { [PROCESS_MARK]: mark };
    return { ...command, env, ...underFilter(host.bwrap, variables, args) };
  };
  return {
    description: "agents are confined by bubblewrap",
    async confine(command, reach) {
      const out = hasWayOut(reach) ? await host.egress.directoryFor(reach) : null;
      const confined = await confine(command, reach, out, []);
      return groups.enter(confined, command.env[PROCESS_MARK] ?? "").command;
    },
    async run(command, options) {
      // bwrap's own error would not say which command it could not run.
      await access(command.file, constants.X_OK).catch((error: unknown) => {
        throw notStarted(command, error);
      });
      const wayOut = hasWayOut(options) ? await host.egress.open(options) : null;
      try {
        const confined = await confine(command, options, wayOut?.directory ?? null, [
          "--json-status-fd",
          "3",
        ]);
        const ended = await runInGroup(groups, confined, { ...options, wrapped: true }, host.clock);
        return {
          ...ended,
          refusedHosts: wayOut?.refusedHosts() ?? [],
          refusals: wayOut?.refusals() ?? [],
        };
      } finally {
        wayOut?.close();
      }
    },
    services: createServiceHost,
    port: async () => portInside(),
    killMarked: (marks) => killInGroups(groups, marks),
    memoryEnd: (mark) => groups.memoryEnd(mark),
    countMarked: async (marks) => (await markedProcesses(marks)).length,
  };
}
