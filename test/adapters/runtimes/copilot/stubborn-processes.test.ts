import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { backgroundGraceMs } from "../../../../src/adapters/runtimes/copilot/exchange.ts";
import { markedProcesses } from "../../../../src/adapters/sandbox/marked-processes.ts";
import type { Clock } from "../../../../src/domain/ports/clock.ts";
import { createRig, longMs } from "../../../contracts/agent-runtime-rig.ts";
import { realClock } from "../real-harness.ts";
import { startCopilot } from "./copilot-harness.ts";

/** A clock on which one limit comes soon. */
function hasten(limitMs: number): Clock {
  return { now: () => realClock.now(), after: (ms, fn) => realClock.after(ms === limitMs ? 300 : ms, fn) };
}

/**
 * Holds a process until nothing of it runs any more: the signal returns before the last thread has stopped, and a
 * thread that is still on a processor may answer once more.
 */
async function freeze(pid: number): Promise<void> {
  process.kill(pid, "SIGSTOP");
  const states = () =>
    readdirSync(`/proc/${pid}/task`).map((thread) =>
      /\) (\S) /.exec(readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8"))?.at(1),
    );
  await expect.poll(() => new Set(states()), { interval: 5 }).toEqual(new Set(["T"]));
}

test("a runtime that no longer reacts is killed when the time to stop is over", async ({
  onTestFinished,
}) => {
  const script = { conversations: [{ match: "", steps: [{ say: "Hello." }] }] };
  const rig = createRig(await startCopilot(script, { clock: hasten(10_000) }));
  onTestFinished(rig.close);
  const { session, spec } = await rig.open();
  // The oldest process of a session is its runtime.
  const [runtime] = await markedProcesses([spec.sessionId]);
  if (runtime === undefined) throw new Error("no process");
  await freeze(runtime);
  await session.stop();
  expect(await markedProcesses([spec.sessionId])).toEqual([]);
  expect(await session.exchange("hello?", { deadlineMs: longMs })).toEqual({
    kind: "runtime_died",
    detail: "the session was stopped",
  });
}, 60_000);

test("a runtime that no longer reacts has a process and does not answer a probe", async ({
  onTestFinished,
}) => {
  const script = { conversations: [{ match: "", steps: [{ say: "Hello." }] }] };
  const rig = createRig(await startCopilot(script, { clock: hasten(15_000) }));
  onTestFinished(rig.close);
  const { session, spec } = await rig.open();
  const [runtime] = await markedProcesses([spec.sessionId]);
  if (runtime === undefined) throw new Error("no process");
  await freeze(runtime);
  expect(await session.probe()).toEqual({ process: true, answered: false });
  process.kill(runtime, "SIGCONT");
  expect(await session.probe()).toEqual({ process: true, answered: true });
}, 60_000);

test("a shell that is left in the background is ended after its grace, and the exchange with it", async ({
  onTestFinished,
}) => {
  const server = { command: "sleep 1000", description: "a server", mode: "async" };
  const steps = [{ call: [{ tool: "bash", args: server }] }, { say: "It runs." }, { say: "And more." }];
  const script = { conversations: [{ match: "", steps }] };
  const rig = createRig(await startCopilot(script, { clock: hasten(backgroundGraceMs) }));
  onTestFinished(rig.close);
  const { session, spec } = await rig.open();
  const first = await session.exchange("do the work", { deadlineMs: longMs });
  expect(first).toEqual({ kind: "idle", lastMessage: "It runs." });
  // What is left is the runtime alone.
  await expect.poll(() => markedProcesses([spec.sessionId]), { timeout: 10_000 }).toHaveLength(1);
  expect(await session.exchange("more", { deadlineMs: longMs })).toEqual({
    kind: "idle",
    lastMessage: "And more.",
  });
}, 60_000);

test("a shell that ends by itself wakes the model within the same exchange", async ({ onTestFinished }) => {
  const build = { command: "until [ -e go ]; do sleep 0.05; done", description: "a build", mode: "async" };
  const steps = [{ call: [{ tool: "bash", args: build }] }, { say: "I wait." }, { say: "It is built." }];
  // The grace begins when the model rests: only then may the build end.
  const clock: Clock = {
    now: () => realClock.now(),
    after(ms, fn) {
      if (ms === backgroundGraceMs) writeFileSync(join(harness.place.workingDirectory, "go"), "");
      return realClock.after(ms, fn);
    },
  };
  const harness = await startCopilot({ conversations: [{ match: "", steps }] }, { clock });
  const rig = createRig(harness);
  onTestFinished(rig.close);
  const { session } = await rig.open();
  const end = await session.exchange("do the work", { deadlineMs: longMs });
  expect(end).toEqual({ kind: "idle", lastMessage: "It is built." });
}, 60_000);

test("the shells of a runtime that was killed are ended with the exchange", async ({ onTestFinished }) => {
  const server = { command: "sleep 1000", description: "a server", mode: "async" };
  const steps = [{ call: [{ tool: "bash", args: server }] }, { delayMs: longMs, say: "Never." }];
  const harness = await startCopilot({ conversations: [{ match: "", steps }] });
  const rig = createRig(harness);
  onTestFinished(rig.close);
  const { session, spec } = await rig.open();
  const [runtime] = await markedProcesses([spec.sessionId]);
  const exchange = session.exchange("do the work", { deadlineMs: longMs });
  await harness.requested(2);
  if (runtime === undefined) throw new Error("no process");
  process.kill(runtime, "SIGKILL");
  expect((await exchange).kind).toBe("runtime_died");
  expect(await markedProcesses([spec.sessionId])).toEqual([]);
}, 60_000);
