import { describeAgentRuntime } from "../../contracts/agent-runtime.ts";
import { startRealHarness } from "./real-harness.ts";

describeAgentRuntime("Copilot SDK with its real process, unconfined", (script) => startRealHarness(script));
