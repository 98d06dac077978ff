import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readProcesses } from "../../../src/adapters/sandbox/process-table.ts";
import { realClock } from "../runtimes/real-harness.ts";
import { confinedRunner } from "./bubblewrap-here.ts";

/** What may pile up. */
export interface Left {
  readonly processes: number;
  readonly mounts: number;
  readonly files: number;
  /** Of our own process. */
  readonly handles: number;
}

const AT_ONCE = 4;

/** Does not end when it is asked to, and hides: sessions of their own, two forks, no mark. */
const STUBBORN = (sleep: string) => `trap '' TERM HUP INT
(setsid env -i /bin/sh -c 'trap "" TERM HUP; (/bin/sleep ${sleep} &)' &)
setsid /bin/sleep ${sleep} &
/bin/sleep ${sleep} &
echo lock > held.lock; rm held.lock
echo up; while :; do /bin/sleep ${sleep}; done`;

/**
 * Starts sandboxes with a process that resists and kills each, half of them by their mark and half by the death of bwrap
 * alone. Returns what is left of it that was not there before.
 */
export async function startAndKill(cycles: number): Promise<Left> {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-cycles-"));
  const sleep = `1000.${Math.floor(Math.random() * 1e9)}`;
  try {
    await cycle(directory, sleep, 0);
    const before = await counted(directory, sleep);
    for (let at = 0; at < cycles; at += AT_ONCE)
      await Promise.all(
        Array.from({ length: Math.min(AT_ONCE, cycles - at) }, (_, by) => cycle(directory, sleep, at + by)),
      );
    const after = await counted(directory, sleep);
    return {
      processes: after.processes,
      mounts: after.mounts - before.mounts,
      files: after.files,
      handles: Math.max(0, after.handles - before.handles),
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function cycle(directory: string, sleep: string, number: number): Promise<void> {
  const runner = confinedRunner(realClock);
  const mark = `cycle-${randomUUID()}@${directory}`;
  const { file, args, cwd, env } = await runner.confine(
    {
      file: "/bin/sh",
      args: ["-c", STUBBORN(sleep)],
      cwd: directory,
      env: { PATH: "/usr/bin:/bin", FLOTILLA_SESSION: mark },
    },
    { writable: [directory], readable: [], hosts: [], registries: false },
  );
  const child = spawn(file, args, { cwd, env, stdio: ["ignore", "pipe", "ignore"] });
  const closed = new Promise((resolve) => {
    child.once("close", resolve);
  });
  await new Promise((resolve) => {
    child.stdout.once("data", resolve);
  });
  if (number % 2 === 0) await runner.killMarked([mark]);
  else child.kill("SIGKILL");
  // The pipe closes with the last process that holds it.
  await closed;
}

async function counted(directory: string, sleep: string): Promise<Left> {
  // A process that was killed may be listed for a moment more.
  let processes = 0;
  for (let look = 0; look < 20; look += 1) {
    const all = await readProcesses();
    processes = all.filter(({ pid }) => argumentsOf(pid).includes(sleep)).length;
    if (processes === 0) break;
    await delay(50);
  }
  return {
    processes,
    mounts: readFileSync("/proc/self/mountinfo", "utf8").split("\n").length,
    files: readdirSync(directory).length,
    handles: readdirSync("/proc/self/fd").length,
  };
}

function argumentsOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
