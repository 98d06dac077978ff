import { describeAgentRuntime } from "../../contracts/agent-runtime.ts";
import { confinedRunner, describeConfined } from "../sandbox/bubblewrap-here.ts";
import { startRealHarness } from "./real-harness.ts";

describeConfined("in a sandbox without a network", () => {
  describeAgentRuntime("Copilot SDK with its real process, confined", (script) =>
    startRealHarness(script, { runner: confinedRunner }),
  );
});
