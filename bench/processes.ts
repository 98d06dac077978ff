import { readdir, readFile } from "node:fs/promises";
import { readProcesses, withDescendants } from "../src/adapters/sandbox/process-table.ts";

/** Megabytes of memory of one process; what it shares with others counts in part. 0 for one that has just ended. */
export async function megabytesOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
  return Number(/^Pss: +(\d+) kB$/m.exec(text)?.[1] ?? 0) / 1024;
}

/** The same of all that a process has started, and of what these have. */
export async function megabytesBelow(pid: number): Promise<number> {
  const all = await readProcesses();
  const children = all.filter(({ parent }) => parent === pid);
  const parts = await Promise.all(withDescendants(all, children).map((entry) => megabytesOf(entry.pid)));
  return parts.reduce((sum, part) => sum + part, 0);
}

/** Milliseconds that all threads of the process have spent on a processor since they began. */
export async function cpuMs(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  const spent = await Promise.all(
    threads.map(async (thread) => {
      const text = await readFile(`/proc/${pid}/task/${thread}/schedstat`, "utf8").catch(() => "0");
      return Number(text.split(" ")[0]) / 1e6;
    }),
  );
  return spent.reduce((sum, part) => sum + part, 0);
}
