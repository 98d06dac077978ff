import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { afterEach, expect, test } from "vitest";
import { killMarkedProcesses, markedProcesses } from "../../../src/adapters/sandbox/marked-processes.ts";
import { readProcesses } from "../../../src/adapters/sandbox/process-table.ts";
import { environmentVariables } from "../../../src/domain/settings/environment-variables.ts";

const SCRIPT = `env -i /bin/sleep 1000 &
while read -r name < /proc/$!/comm && [ "$name" != sleep ]; do :; done
echo ready; wait`;

const started: ChildProcess[] = [];
afterEach(() => {
  // Each leads a group of its own: its child, which drops the mark, is in it too.
  for (const { pid } of started.splice(0)) {
    if (pid !== undefined && existsSync(`/proc/${pid}`)) process.kill(-pid, "SIGKILL");
  }
});

/** Starts a shell that says a line once its own child is `sleep`, which has dropped the mark, then waits. */
async function startShell(env: Record<string, string>): Promise<ChildProcess> {
  const child = spawn("/bin/sh", ["-c", SCRIPT], {
    env: { PATH: "/usr/bin:/bin", ...env },
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  started.push(child);
  if (child.stdout) await once(child.stdout, "data");
  return child;
}

test("the kernel's own threads are no processes", async () => {
  // A container without them has another program by this number, or none.
  const name = await readFile("/proc/2/comm", "utf8").catch(() => "");
  const kernel = name === "kthreadd\n" ? 2 : Number.NaN;
  const found = await readProcesses();
  expect(found.length).toBeGreaterThan(0);
  expect(found.filter(({ pid, parent }) => pid === kernel || parent === kernel)).toEqual([]);
});

test("processes with the mark are killed with children that dropped it, and no others", async () => {
  const id = `mark-${randomUUID()}`;
  const ours = await startShell({ FLOTILLA_SESSION: `${id}@/data/a` });
  const elsewhere = await startShell({ FLOTILLA_SESSION: `${id}@/data/b` });
  const exited = once(ours, "exit");
  expect(await markedProcesses([`${id}@/data/a`])).toHaveLength(2);
  expect(await killMarkedProcesses([`${id}@/data/a`])).toBe(2);
  expect((await exited)[1]).toBe("SIGKILL");
  expect(await markedProcesses([`${id}@/data/a`])).toEqual([]);
  // Another Flotilla on this machine that works for the same issue.
  expect(await markedProcesses([`${id}@/data/b`])).toContain(elsewhere.pid);
});

test("a session's id alone finds its processes wherever they work, and those of no other session", async () => {
  const id = `mark-${randomUUID()}`;
  const one = await startShell({ FLOTILLA_SESSION: `${id}@/data/a` });
  await startShell({ FLOTILLA_SESSION: `${id}-2@/data/a` });
  expect(await markedProcesses([id])).toContain(one.pid);
  expect(await markedProcesses([id])).toHaveLength(2);
});

test("a mark in an argument or in another variable is none", async () => {
  const id = `mark-${randomUUID()}`;
  await startShell({ NOTE: `FLOTILLA_SESSION=${id}`, XFLOTILLA_SESSION: id });
  expect(await markedProcesses([id])).toEqual([]);
});

test("a mark is found behind other variables, up to a bound of length", async () => {
  const id = `mark-${randomUUID()}`;
  const behind = await startShell({ FILL: "ä".repeat(10_000), FLOTILLA_SESSION: id });
  const long = "x".repeat(100_000);
  await startShell({ FILL: long, MORE: long, MOST: long, FLOTILLA_SESSION: id });
  expect(await markedProcesses([id])).toContain(behind.pid);
  expect(await markedProcesses([id])).toHaveLength(2);
});

test("a mark is found behind the most variables that a repository may set: a shell passes them on in any order", async () => {
  const id = `mark-${randomUUID()}`;
  const names = Array.from({ length: 50 }, (_, n) => `N${n}_${"x".repeat(96)}`);
  const most = Object.fromEntries(names.map((name) => [name, "y".repeat(4096)]));
  expect(environmentVariables().safeParse(most).success).toBe(true);
  await startShell({ ...most, FLOTILLA_SESSION: id });
  expect(await markedProcesses([id])).toHaveLength(2);
});

test("no ids mean no processes", async () => {
  expect(await killMarkedProcesses([])).toBe(0);
});
