import type { Capability } from "../../../domain/ports/agent-runtime.ts";
import { RUNTIME_TOOLS } from "../../../domain/sessions/tool-names.ts";

/** Tools that no agent gets: sub-agents (whose calls escape our limits) and the runtime's own way to the network. */
export const refusedTools: readonly string[] = [
  "task",
  "read_agent",
  "list_agents",
  "write_agent",
  "web_fetch",
  "skill",
];

/** Every name that the runtime uses for a tool of its own with some model; none of ours may be called so. */
export const runtimeToolNames: ReadonlySet<string> = new Set([
  ...Object.values(RUNTIME_TOOLS).flat(),
  ...refusedTools,
  "ask_user",
  "exit_plan_mode",
  "report_intent",
  "sql",
  "store_memory",
  "tool_search_tool",
]);

/** Names of the runtime's tools that these capabilities allow. */
export function builtinToolsFor(capabilities: readonly Capability[]): string[] {
  return [...new Set(capabilities.flatMap((capability) => RUNTIME_TOOLS[capability]))];
}
