import { randomUUID } from "node:crypto";
import { afterEach, expect, it, vi } from "vitest";
import { removeTree } from "../../src/adapters/git/worktree/remove-tree.ts";
import { createCopilotRuntime } from "../../src/adapters/runtimes/copilot/runtime.ts";
import { RefusedModels } from "../../src/adapters/runtimes/gateway/refused-models.ts";
import { markedProcesses } from "../../src/adapters/sandbox/marked-processes.ts";
import { createUnconfinedRunner } from "../../src/adapters/sandbox/none.ts";
import { startCopilot } from "../adapters/runtimes/copilot/copilot-harness.ts";
import { realClock } from "../adapters/runtimes/real-harness.ts";
import { createRig, type Rig } from "../contracts/agent-runtime-rig.ts";
import { createFakeClock } from "../fakes/clock.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {} };

let rig: Rig;
afterEach(() => rig.close());

it.each([
  ["says what is no message, and continues", "echo '{ no message'; exec sleep 1000"],
  ["sends less than it promised", "printf 'Content-Length: 99\\r\\n\\r\\n{}'; exec sleep 1000"],
  ["floods its output", "head -c 5000000 /dev/zero; exec sleep 1000"],
  ["says nothing at all, and does not react to SIGTERM", "trap '' TERM; while :; do sleep 1; done"],
])(
  "a runtime that %s is a failed start that may be tried again, and nothing of it stays",
  async (_, script) => {
    const harness = await startCopilot({ conversations: [] });
    const clock = createFakeClock(0);
    const started = Promise.withResolvers<void>();
    const runtime = createCopilotRuntime({
      removeTree,
      refusedModels: new RefusedModels(clock),
      runner: {
        ...createUnconfinedRunner(realClock),
        confine: (command) => Promise.resolve({ ...command, file: "/bin/sh", args: ["-c", script] }),
      },
      hosts: [],
      registries: false,
      log: silent,
      clock: {
        ...clock,
        after: (ms, fn) => {
          started.resolve();
          return clock.after(ms, fn);
        },
      },
      env: {},
    });
    rig = createRig({ ...harness, runtime });
    const sessionId = `broken-${randomUUID()}`;
    const failure = {
      code: "start_failed",
      consequence: "retry",
      message: expect.stringContaining("did not answer within 60 s"),
    };
    const opened = rig.open({ sessionId }).catch((error: unknown) => error);
    await started.promise;
    clock.advance(60_000);
    expect(await opened).toMatchObject(failure);
    // A killed process is seen until the kernel has taken it down.
    await vi.waitFor(async () => expect(await markedProcesses([sessionId])).toEqual([]), { timeout: 10_000 });
  },
);
