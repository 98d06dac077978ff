import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { RuntimeError } from "../../domain/kernel/errors.ts";
import type { AgentRuntime, RuntimeTools } from "../../domain/ports/agent-runtime.ts";
import type { EngineContext } from "./engine-context.ts";

type Runtimes = Pick<EngineContext, "runtimes">;
type Its = Pick<AgentRecord, "runtime">;

const NO_TOOLS: RuntimeTools = new Map();

/** Returns the agent's runtime, which it keeps for life; undefined where it is not configured any more. */
export function knownRuntimeOf({ runtimes }: Runtimes, { runtime }: Its): AgentRuntime | undefined {
  return runtimes.get(runtime);
}

/** Returns the agent's runtime. Throws `RuntimeError` runtime_gone where it is not configured any more. */
export function runtimeOf(context: Runtimes, agent: Its): AgentRuntime {
  const known = knownRuntimeOf(context, agent);
  if (known !== undefined) return known;
  throw new RuntimeError(
    "runtime_gone",
    `the configuration has no runtime ${agent.runtime} any more; put it back and restart Flotilla, or begin again with another one: say \`/flotilla cancel\`, then \`/flotilla start <role> with <runtime>\``,
    { consequence: "stop", advice: "Put the runtime back below `runtimes` in the configuration" },
  );
}

/** Returns the tools of the agent's runtime itself; none where it is not configured any more. */
export function runtimeToolsOf(context: Runtimes, agent: Its): RuntimeTools {
  return knownRuntimeOf(context, agent)?.tools ?? NO_TOOLS;
}
