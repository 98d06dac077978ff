import { describeAgentRuntime } from "../../../contracts/agent-runtime.ts";
import { startAcp } from "./acp-harness.ts";

describeAgentRuntime("ACP, unconfined", (script) => startAcp(script));
