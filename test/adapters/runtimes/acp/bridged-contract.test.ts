import { describeAgentRuntime } from "../../../contracts/agent-runtime.ts";
import { scriptedPreset } from "../../../fixtures/acp/preset.ts";
import { confinedRunner, describeConfined } from "../../sandbox/bubblewrap-here.ts";
import { startAcp } from "./acp-harness.ts";

describeConfined("an agent that reaches no MCP server over HTTP, in a sandbox without a network", () => {
  const preset = scriptedPreset("speaks no HTTP");
  describeAgentRuntime("ACP, bridged", (script) => startAcp(script, { preset, runner: confinedRunner }));
});
