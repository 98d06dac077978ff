import { setTimeout as delay } from "node:timers/promises";
import { PROCESS_MARK } from "../../domain/breakers/process-mark.ts";
import { OutsideError } from "../../domain/kernel/errors.ts";
import type { Isolation } from "../../domain/ports/runner.ts";
import { type ProcessEntry, readProcesses, signalProcess, withDescendants } from "./process-table.ts";

/**
 * Each round finds processes started since the previous one. Only a process that starts others faster than we stop them
 * escapes.
 */
const ROUNDS = 200;
const EVERY_MS = 2;
/**
 * A system call that lasts this many rounds is waiting for a process that we stopped; a shorter one, such as on a file,
 * is over by then.
 */
const LONG_ROUNDS = 5;

/**
 * Creates the isolation for unconfined agents: stops their processes, found by the marks of `dataDir`, while work runs,
 * and continues them when the last concurrent work has ended. Does not find processes that dropped their mark and lost
 * their parents. Does nothing without /proc.
 */
export function createStandstill(dataDir: string): Isolation {
  const stopped = new Set<number>();
  let working = 0;

  const resume = (): void => {
    working -= 1;
    if (working > 0) return;
    for (const pid of stopped) signalProcess(pid, "SIGCONT");
    stopped.clear();
  };

  return {
    confines: false,
    confine: (command) =>
      Promise.resolve({ ...command, file: "nice", args: ["-n", "10", command.file, ...command.args] }),
    async whileStill(work) {
      working += 1;
      try {
        await stopAll(dataDir, stopped);
        return await work();
      } finally {
        resume();
      }
    },
  };
}

async function stopAll(dataDir: string, stopped: Set<number>): Promise<void> {
  const inCall = new Map<number, number>();
  const isHeld = ({ pid, state }: ProcessEntry): boolean => {
    if (state === "T") return true;
    if (!stopped.has(pid)) return false;
    const rounds = state === "D" ? (inCall.get(pid) ?? 0) + 1 : 0;
    inCall.set(pid, rounds);
    return state === "t" || rounds > LONG_ROUNDS;
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const processes = await processesOf(dataDir);
    // A signalled process in a system call stops when it leaves the call; a parent may be waiting there for a child
    // that we stopped. A traced process (t) stops before it runs again, and cannot be stopped otherwise.
    const running = processes.filter((entry) => !isHeld(entry));
    if (running.length === 0) return;
    for (const { pid } of running) {
      stopped.add(pid);
      signalProcess(pid, "SIGSTOP");
    }
    await delay(EVERY_MS);
  }
  throw new OutsideError("agents_not_stopped", "processes of agents start faster than they can be stopped", {
    consequence: "retry",
    advice: "Look what the agents run, and end what starts processes without end; it is tried again.",
  });
}

async function processesOf(dataDir: string): Promise<readonly ProcessEntry[]> {
  const all = await readProcesses();
  const marked = all.filter(({ environment }) =>
    environment.some((line) => line.startsWith(`${PROCESS_MARK}=`) && line.includes(`@${dataDir}/`)),
  );
  return withDescendants(all, marked);
}
