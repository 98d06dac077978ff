import { RUNTIMES } from "../../../src/adapters/runtimes/registry.ts";
import { describeAgentRuntime } from "../../contracts/agent-runtime.ts";
import { confinedRunner, describeConfined } from "../sandbox/bubblewrap-here.ts";
import { startRealHarness } from "./real-harness.ts";

describeConfined("in a sandbox without a network", () => {
  for (const entry of RUNTIMES)
    describeAgentRuntime(`${entry.name}, confined`, (script) =>
      startRealHarness(entry, script, { runner: confinedRunner }),
    );
});
