import type { Clock } from "../core/ports/clock.ts";
import { carries } from "./marked-processes.ts";
import { type ProcessEntry, readProcesses, signalProcess, withDescendants } from "./process-table.ts";

/** How long processes may take to end in good order before they are killed. */
const GRACE_MS = 5000;
const LOOK_EVERY_MS = 50;
/** After SIGKILL nothing can take long; what still stands then is beyond us. */
const KILL_LOOKS = 40;

/**
 * Ends everything that a command started, whatever became of the command itself: its session, what carries its mark,
 * and the descendants of both, those too that were given to another parent meanwhile. SIGTERM first, SIGKILL after 5 s.
 * A leader that is `spared` gets no SIGTERM: its end would end the others at once, without their time.
 * Without /proc only the command's process group is reached.
 */
export async function endTree(
  leader: { pid: number; mark: string; spared: boolean },
  clock: Clock,
): Promise<void> {
  const known = new Map<number, string>();
  const find = async (): Promise<readonly ProcessEntry[]> => {
    const all = await readProcesses();
    if (all.length === 0) signalProcess(-leader.pid, "SIGKILL");
    const chosen = all.filter(
      (entry) =>
        entry.session === leader.pid || carries(entry, leader.mark) || known.get(entry.pid) === entry.began,
    );
    const found = withDescendants(all, chosen);
    for (const { pid, began } of found) known.set(pid, began);
    return found;
  };
  const asked = new Set<number>();
  const killFrom = clock.now() + GRACE_MS;
  for (let looks = 0; looks < KILL_LOOKS; ) {
    const found = await find();
    if (found.length === 0) return;
    const late = clock.now() >= killFrom;
    if (late) looks += 1;
    for (const { pid } of found) {
      if (late) signalProcess(pid, "SIGKILL");
      else if (!asked.has(pid) && !(leader.spared && pid === leader.pid)) signalProcess(pid, "SIGTERM");
      asked.add(pid);
    }
    await pause(clock, LOOK_EVERY_MS);
  }
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}
