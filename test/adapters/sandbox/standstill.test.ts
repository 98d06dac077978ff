import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { createStandstill } from "../../../src/adapters/sandbox/standstill.ts";
import { PROCESS_MARK } from "../../../src/domain/breakers/process-mark.ts";

const DATA = "/nowhere/flotilla-standstill";

/** A shell with a child, both with this mark. */
async function marked(mark: string): Promise<ChildProcess & { readonly pid: number }> {
  const child = spawn("/bin/sh", ["-c", "sleep 600 & echo begun; wait"], {
    env: { PATH: process.env["PATH"], [PROCESS_MARK]: mark },
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error("the shell did not start");
  onTestFinished(() => void process.kill(-pid, "SIGKILL"));
  await new Promise((resolve) => child.stdout.once("data", resolve));
  return Object.assign(child, { pid });
}

function stateOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3);
}

function childOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim());
}

it("stops the processes of agents of this data directory while work runs, and continues them whatever comes of it", async () => {
  const [ours, other] = [
    await marked(`session@${DATA}/sessions/1`),
    await marked("session@/elsewhere/sessions/1"),
  ];
  const isolation = createStandstill(DATA);
  const states = () => [ours.pid, childOf(ours.pid), other.pid].map(stateOf);
  expect(await isolation.whileStill(() => Promise.resolve(states()))).toEqual(["T", "T", "S"]);
  await expect.poll(states).toEqual(["S", "S", "S"]);
  await expect(isolation.whileStill(() => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  await expect.poll(states).toEqual(["S", "S", "S"]);
});

it("continues them when the last work that runs at the same time has ended", async () => {
  const { pid } = await marked(`session@${DATA}/sessions/2`);
  const isolation = createStandstill(DATA);
  await isolation.whileStill(async () => {
    await isolation.whileStill(() => Promise.resolve());
    expect(stateOf(pid)).toBe("T");
  });
  await expect.poll(() => stateOf(pid)).toBe("S");
});

it.runIf(process.arch === "x64")("takes one that its tracer holds as stopped, and works on", async () => {
  const traced = "syscall(101, 0, 0, 0, 0); print qq(begun\\n); kill 'STOP', $$; sleep 600";
  const child = spawn(
    "perl",
    ["-e", `$| = 1; $child = fork; if (!$child) { ${traced} } waitpid $child, 0; sleep 600`],
    {
      env: { PATH: process.env["PATH"], [PROCESS_MARK]: `session@${DATA}/sessions/3` },
      stdio: ["ignore", "pipe", "ignore"],
      detached: true,
    },
  );
  const { pid } = child;
  if (pid === undefined) throw new Error("perl did not start");
  onTestFinished(() => void process.kill(-pid, "SIGKILL"));
  await new Promise((resolve) => child.stdout.once("data", resolve));
  await expect.poll(() => stateOf(childOf(pid))).toBe("t");
  const states = () => [stateOf(pid), stateOf(childOf(pid))];
  expect(await createStandstill(DATA).whileStill(() => Promise.resolve(states()))).toEqual(["T", "t"]);
});
