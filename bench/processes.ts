import { readdir, readFile } from "node:fs/promises";
import { readProcesses, withDescendants } from "../src/adapters/sandbox/process-table.ts";

/** Returns the memory of one process in megabytes; shared memory counts proportionally. 0 if it has just ended. */
export async function megabytesOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
  return Number(/^Pss: +(\d+) kB$/m.exec(text)?.[1] ?? 0) / 1024;
}

/** Returns the memory of all descendants of a process. */
export async function megabytesBelow(pid: number): Promise<number> {
  const all = await readProcesses();
  const children = all.filter(({ parent }) => parent === pid);
  const parts = await Promise.all(withDescendants(all, children).map((entry) => megabytesOf(entry.pid)));
  return parts.reduce((sum, part) => sum + part, 0);
}

/** Returns the CPU time of all threads of the process since its start, in milliseconds. */
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
