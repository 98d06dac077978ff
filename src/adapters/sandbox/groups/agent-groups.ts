import { createHash } from "node:crypto";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  type MemoryEvents,
  memoryEnd,
  NO_EVENTS,
  readMemoryEvents,
} from "../../../domain/breakers/memory-end.ts";
import { agentOfMark, agentOfMcpMark } from "../../../domain/breakers/process-mark.ts";
import { messageOf, OutsideError } from "../../../domain/kernel/errors.ts";
import type { Log } from "../../../domain/ports/log.ts";
import type { Command } from "../../../domain/ports/runner.ts";
import type { GroupFiles } from "./group-files.ts";

const ROUNDS = 100;
const EVERY_MS = 20;

/**
 * Where the service or the machine is out of memory, the kernel ends what an agent runs, and not Flotilla: what is in an
 * agent's /tmp counts for no process, so Flotilla's would seem the largest.
 */
export const ENDS_FIRST = "{ echo 1000 > /proc/self/oom_score_adj; } 2> /dev/null";

/** The shell moves itself into the group before it becomes the command, so no process of the command is ever outside. */
const ENTER = `${ENDS_FIRST}; echo 0 > "$0" && exec "$@"`;

/** A command's stay in its agent's group. */
interface Stay {
  /** The command that begins in the group, to be started once. */
  readonly command: Command;
  /** Returns why the kernel killed the agent's processes since then; null where it did not. */
  memoryEnd(): string | null;
  /** To be called when the command and all that it started have ended. */
  end(): Promise<void>;
}

/** A control group for each agent, with a limit of memory and of processes for all that runs for the agent. */
export interface AgentGroups {
  /** `mark` is the command's; one that belongs to no agent gets no group. Throws `OutsideError` `command_not_started`. */
  enter(command: Command, mark: string): Stay;
  /** Returns why the kernel killed the processes of the latest command with this mark; null where it did not. */
  memoryEnd(mark: string): string | null;
  /** Ends the stays of all commands with these marks. */
  leave(marks: readonly string[]): Promise<void>;
}

/** For where there are no control groups: everything runs where Flotilla runs. */
export const NO_GROUPS: AgentGroups = {
  enter: (command) => ({ command, memoryEnd: () => null, end: async () => {} }),
  memoryEnd: () => null,
  leave: async () => {},
};

interface Parts {
  readonly files: GroupFiles;
  /** The group of which agents' groups are children. */
  readonly base: string;
  readonly dataDir: string;
  /** Null for no limit of memory. */
  readonly memoryBytes: number | null;
  /** Threads count too. */
  readonly processes: number;
  readonly log: Log;
}

/** A stay that has not ended, with what the kernel had counted as it began. */
interface Held {
  readonly agentId: number;
  readonly mark: string;
  readonly before: MemoryEvents;
}

/** Creates the groups. Removes those that an earlier process left for this data directory, with what still runs there. */
export async function createAgentGroups({
  files,
  base,
  dataDir,
  memoryBytes,
  processes,
  log,
}: Parts): Promise<AgentGroups> {
  // Two Flotillas may share a group; each has a data directory of its own.
  const prefix = `agent-${createHash("sha256").update(dataDir).digest("hex").slice(0, 8)}-`;
  const held = new Set<Held>();
  const pathOf = (agentId: number): string => join(base, `${prefix}${agentId}`);
  const isHeld = (agentId: number): boolean => [...held].some((stay) => stay.agentId === agentId);

  const eventsOf = (agentId: number): MemoryEvents => {
    try {
      return readMemoryEvents(files.read(join(pathOf(agentId), "memory.events")));
    } catch {
      return NO_EVENTS;
    }
  };

  const endOf = ({ agentId, before }: Held): string | null =>
    memoryEnd(before, eventsOf(agentId), memoryBytes);

  /** An earlier group that could not be removed may be there, with other limits. */
  const make = (path: string): void => {
    if (!files.exists(path)) files.make(path);
    const set = (name: string, value: string): void => {
      if (files.exists(join(path, name))) files.write(join(path, name), value);
    };
    files.write(join(path, "memory.max"), memoryBytes === null ? "max" : String(Math.floor(memoryBytes)));
    // Kernels without swap have no such file.
    set("memory.swap.max", memoryBytes === null ? "max" : "0");
    files.write(join(path, "memory.oom.group"), "1");
    files.write(join(path, "pids.max"), String(processes));
  };

  const drop = (path: string): void => {
    try {
      files.remove(path);
    } catch {
      // It was not made.
    }
  };

  /** What runs unconfined can make groups within its own, as container engines do. */
  const removeWithin = (path: string): void => {
    for (const within of files.groupsIn(path)) removeWithin(join(path, within));
    files.remove(path);
  };

  /** Removes a group unless it is used, with the processes that nobody found by their mark. */
  const remove = async (path: string, isUsed: () => boolean): Promise<void> => {
    let failure: unknown;
    for (let round = 0; round < ROUNDS; round += 1) {
      if (isUsed() || !files.exists(path)) return;
      try {
        return removeWithin(path);
      } catch (error) {
        failure = error;
      }
      try {
        // In the same moment as the look above: what enters later is not killed.
        files.write(join(path, "cgroup.kill"), "1");
      } catch (error) {
        failure = error;
      }
      await delay(EVERY_MS);
    }
    log.warn({ group: path, error: messageOf(failure) }, "control group of an agent not removed");
  };

  const release = async (ended: readonly Held[]): Promise<void> => {
    for (const stay of ended) held.delete(stay);
    const agents = new Set(ended.map(({ agentId }) => agentId));
    await Promise.all([...agents].map((id) => remove(pathOf(id), () => isHeld(id))));
  };

  for (const name of files.groupsIn(base))
    if (name.startsWith(prefix)) await remove(join(base, name), () => false);

  return {
    enter(command, mark) {
      const agentId = agentOfMark(mark, dataDir) ?? agentOfMcpMark(mark);
      if (agentId === null) return NO_GROUPS.enter(command, mark);
      const path = pathOf(agentId);
      try {
        if (!isHeld(agentId) || !files.exists(path)) make(path);
      } catch (error) {
        // One that is half made would be used without its limits.
        drop(path);
        throw new OutsideError(
          "command_not_started",
          `the control group of an agent was not made: ${messageOf(error)}`,
          {
            consequence: "retry",
            advice: `Look what keeps this user from making groups in ${base}; it is tried again.`,
            cause: error,
          },
        );
      }
      const stay: Held = { agentId, mark, before: eventsOf(agentId) };
      held.add(stay);
      const args = ["-c", ENTER, join(path, "cgroup.procs"), command.file, ...command.args];
      return {
        command: { ...command, file: "/bin/sh", args },
        memoryEnd: () => endOf(stay),
        end: () => release([stay]),
      };
    },
    memoryEnd: (mark) =>
      [...held]
        .filter((stay) => stay.mark === mark)
        .map(endOf)
        .at(-1) ?? null,
    leave: (marks) => release([...held].filter(({ mark }) => marks.includes(mark))),
  };
}
