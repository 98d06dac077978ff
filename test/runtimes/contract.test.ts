import { describeAgentRuntime } from "../contracts/agent-runtime.ts";
import { testedPresets } from "./install-agents.ts";
import { startAgent } from "./start-agent.ts";

for (const preset of testedPresets())
  describeAgentRuntime(`${preset.name}, confined`, (script) => startAgent(preset, script), preset.cannot);
