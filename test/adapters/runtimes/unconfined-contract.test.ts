import { RUNTIMES } from "../../../src/adapters/runtimes/registry.ts";
import { describeAgentRuntime } from "../../contracts/agent-runtime.ts";
import { startRealHarness } from "./real-harness.ts";

for (const entry of RUNTIMES)
  describeAgentRuntime(`${entry.name}, unconfined`, (script) => startRealHarness(entry, script));
