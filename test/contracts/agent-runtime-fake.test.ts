import { realClock } from "../adapters/runtimes/real-harness.ts";
import { createFakeRuntime, scripted } from "../fakes/agent-runtime.ts";
import { describeAgentRuntime } from "./agent-runtime.ts";

describeAgentRuntime("fake", (script) => {
  const runtime = createFakeRuntime({ model: scripted(script), clock: realClock });
  return Promise.resolve({
    runtime,
    place: {
      baseDirectory: "/nowhere/session",
      workingDirectory: "/nowhere/worktree",
      sentFile: null,
      provider: undefined,
    },
    requests: () => runtime.requests,
    // A fake exchange reaches its model call within a few turns of the event loop.
    async requested(count) {
      for (let turn = 0; runtime.requests.length < count && turn < 1000; turn += 1)
        await new Promise<void>((next) => {
          setImmediate(next);
        });
    },
    kill: (sessionId) => Promise.resolve(runtime.kill(sessionId)),
    close: () => Promise.resolve(),
  });
});
