import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { killSessionProcesses, sessionProcesses } from "../../src/copilot/session-processes.ts";

const started: ChildProcess[] = [];
afterEach(() => {
  // Each leads a group of its own: its child, which drops the mark, is in it too.
  for (const { pid } of started.splice(0)) {
    if (pid !== undefined && existsSync(`/proc/${pid}`)) process.kill(-pid, "SIGKILL");
  }
});

/** Starts a shell that says a line once its own child runs, then waits. */
async function startShell(env: Record<string, string>): Promise<ChildProcess> {
  const child = spawn("/bin/sh", ["-c", "env -i /bin/sleep 1000 & echo ready; wait"], {
    env: { PATH: "/usr/bin:/bin", ...env },
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  started.push(child);
  if (child.stdout) await once(child.stdout, "data");
  return child;
}

test.each(["COPILOT_AGENT_SESSION_ID", "FLOTILLA_SESSION_ID"])(
  "processes marked by %s are killed with children that dropped the mark, and no others",
  async (name) => {
    const id = `mark-${randomUUID()}`;
    const ours = await startShell({ [name]: id });
    const other = await startShell({ [name]: `${id}-other` });
    const exited = once(ours, "exit");
    expect(await sessionProcesses([id])).toHaveLength(2);
    expect(await killSessionProcesses([id])).toBe(2);
    expect((await exited)[1]).toBe("SIGKILL");
    expect(await sessionProcesses([id])).toEqual([]);
    expect(await sessionProcesses([`${id}-other`])).toContain(other.pid);
    await killSessionProcesses([`${id}-other`]);
  },
);

test("a mark in an argument or in another variable is none", async () => {
  const id = `mark-${randomUUID()}`;
  await startShell({ NOTE: `FLOTILLA_SESSION_ID=${id}`, XFLOTILLA_SESSION_ID: id });
  expect(await sessionProcesses([id])).toEqual([]);
});

test("no ids mean no processes", async () => {
  expect(await killSessionProcesses([])).toBe(0);
});
