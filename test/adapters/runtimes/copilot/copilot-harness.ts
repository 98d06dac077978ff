import { createCopilotRuntime } from "../../../../src/adapters/runtimes/copilot/runtime.ts";
import { startRealHarness } from "../real-harness.ts";

type Given = Parameters<typeof startRealHarness>;

/** The real Copilot runtime against the scripted model; it is asked for a sign of life twice a second. */
export function startCopilot(script: Given[1], options: Given[2] = {}): ReturnType<typeof startRealHarness> {
  return startRealHarness(
    { create: (host) => createCopilotRuntime({ ...host, pingEveryMs: 500 }) },
    script,
    options,
  );
}
