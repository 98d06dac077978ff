import { describeAgentRuntime } from "../../../contracts/agent-runtime.ts";
import { confinedRunner, describeConfined } from "../../sandbox/bubblewrap-here.ts";
import { startAcp } from "./acp-harness.ts";

describeConfined("an agent that speaks ACP, in a sandbox without a network", () => {
  describeAgentRuntime("ACP, confined", (script) => startAcp(script, { runner: confinedRunner }));
});
