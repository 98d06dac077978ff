import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { removeTree } from "../../../../src/adapters/git/worktree/remove-tree.ts";
import { createCopilotRuntime } from "../../../../src/adapters/runtimes/copilot/runtime.ts";
import { RefusedModels } from "../../../../src/adapters/runtimes/gateway/refused-models.ts";
import { markedProcesses } from "../../../../src/adapters/sandbox/marked-processes.ts";
import { createUnconfinedRunner } from "../../../../src/adapters/sandbox/none.ts";
import type { Clock } from "../../../../src/domain/ports/clock.ts";
import type { Runner } from "../../../../src/domain/ports/runner.ts";
import { createRig, type Rig } from "../../../contracts/agent-runtime-rig.ts";
import { realClock } from "../real-harness.ts";
import { startCopilot } from "./copilot-harness.ts";

const script = { conversations: [{ match: "", steps: [{ say: "Hello." }] }] };
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const pingEveryMs = 50;
const openMs = 7000;

/** A rig that knows its runtime's pid as soon as that runs; `begun` is called between the process's start and the opening. */
async function aRig({
  clock = realClock,
  begun = (_pid: number): void => {},
  memoryEnd = (_mark: string): string | null => null,
} = {}): Promise<Rig & { pid: () => number }> {
  const harness = await startCopilot(script);
  const file = join(harness.place.workingDirectory, "pid");
  const pid = () => Number(readFileSync(file, "utf8"));
  const unconfined = createUnconfinedRunner(clock);
  const runner: Runner = {
    ...unconfined,
    memoryEnd,
    async confine(asked, reach) {
      const command = await unconfined.confine(asked, reach);
      const args = ["-c", `echo $$ > '${file}'; exec "$0" "$@"`, command.file, ...command.args];
      return { ...command, file: "/bin/sh", args };
    },
  };
  const runtime = createCopilotRuntime({
    removeTree,
    refusedModels: new RefusedModels(clock),
    runner,
    clock,
    pingEveryMs,
    openMs,
    hosts: [],
    registries: false,
    log: silent,
    env: process.env,
    crashPoint: (name) => name === "runtime:started" && begun(pid()),
  });
  const rig = createRig({ ...harness, runtime });
  onTestFinished(rig.close);
  return { ...rig, pid };
}

/** Kills a process, and holds this one until nothing of that is left but what the parent has to collect. */
function killBeforeItIsNoticed(pid: number): void {
  const stat = () => readFileSync(`/proc/${pid}/stat`, "utf8");
  const dead = () => stat().includes(") Z ") && readdirSync(`/proc/${pid}/task`).length === 1;
  process.kill(pid, "SIGKILL");
  for (const end = performance.now() + 5000; !dead(); )
    if (performance.now() > end) throw new Error(`it lives: ${stat()}`);
}

/** Why the opening failed; it may be tried again, and leaves no process. */
async function refusalOf(rig: Rig, sessionId: string): Promise<string> {
  const refusal: unknown = await rig.open({ sessionId }).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: "open_failed", consequence: "retry" });
  expect(await markedProcesses([sessionId])).toEqual([]);
  return String(refusal);
}

test("a request to a process whose death is not noticed yet is refused, and does not end ours", async () => {
  const unhandled: unknown[] = [];
  const listener = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", listener);
  onTestFinished(() => void process.off("unhandledRejection", listener));
  const rig = await aRig();
  const { session } = await rig.open();
  // What follows a read comes before signals are looked at.
  await readFile(import.meta.filename);
  killBeforeItIsNoticed(rig.pid());
  expect(await session.probe()).toEqual({ process: false, answered: false });
  expect(unhandled).toEqual([]);
});

test("a process that dies while its session is opened fails the opening, to be tried again", async () => {
  const sessionId = `dies-${randomUUID()}`;
  let beats = 0;
  const clock: Clock = {
    now: () => realClock.now(),
    after(ms, fn) {
      if (ms === pingEveryMs) beats += 1;
      // At the second, what opens the session has been asked.
      if (ms === pingEveryMs && beats === 2) process.kill(rig.pid(), "SIGKILL");
      return realClock.after(ms, fn);
    },
  };
  const rig = await aRig({ clock, begun: (pid) => process.kill(pid, "SIGSTOP") });
  expect(await refusalOf(rig, sessionId)).not.toContain("did not answer");
});

test("a process that does not open its session in time fails the opening, and is ended", async () => {
  const sessionId = `hangs-${randomUUID()}`;
  const clock: Clock = {
    now: () => realClock.now(),
    after: (ms, fn) => realClock.after(ms === openMs ? 300 : ms, fn),
  };
  const rig = await aRig({ clock, begun: (pid) => process.kill(pid, "SIGSTOP") });
  expect(await refusalOf(rig, sessionId)).toContain("it did not answer within 7 s");
});

const OVER =
  "its processes together used more memory than their limit of 512 MiB: raise `sandbox.memory_gib`";

test("a process that the kernel ended for its memory says so in place of its connection's words", async () => {
  const asked: string[] = [];
  const rig = await aRig({
    memoryEnd(mark) {
      // It is asked while what it is about is still there.
      asked.push(mark);
      return OVER;
    },
  });
  const sessionId = `memory-${randomUUID()}`;
  const { session } = await rig.open({ sessionId });
  killBeforeItIsNoticed(rig.pid());
  const end = await session.exchange("Go on", { deadlineMs: 60_000 });
  expect(end).toEqual({ kind: "runtime_died", detail: OVER });
  expect(asked).toEqual([expect.stringMatching(new RegExp(`^${sessionId}@/`))]);
});

test("a process that the kernel ends before its session is open says so too, to be tried again", async () => {
  const rig = await aRig({ begun: (pid) => process.kill(pid, "SIGKILL"), memoryEnd: () => OVER });
  const refusal: unknown = await rig
    .open({ sessionId: `memory-${randomUUID()}` })
    .catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    code: "start_failed",
    consequence: "retry",
    message: `the agent's process died as it started: ${OVER}`,
  });
});
