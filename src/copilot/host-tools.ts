import type { Tool, ToolResultObject } from "@github/copilot-sdk";
import { messageOf } from "../core/errors.ts";
import type { HostTool } from "../core/ports/agent-runtime.ts";

/**
 * A tool of ours as the SDK registers it: never asked about, never hidden behind tool search.
 * `onTerminal` is called when a successful call ends the turn.
 */
export function toSdkTool(tool: HostTool, onTerminal: () => void): Tool {
  return {
    name: tool.name,
    description: tool.description,
    parameters: { ...tool.parameters },
    isTerminal: tool.terminal,
    skipPermission: true,
    defer: "never",
    async handler(args, invocation): Promise<ToolResultObject> {
      try {
        const answer = await tool.call(args, {
          toolCallId: invocation.toolCallId,
          signal: invocation.signal ?? new AbortController().signal,
        });
        if (answer.ok && tool.terminal) onTerminal();
        return { textResultForLlm: answer.text, resultType: answer.ok ? "success" : "failure" };
      } catch (error) {
        // The SDK would hide the reason from the model, which then repeats the call.
        return { textResultForLlm: `The tool failed: ${messageOf(error)}`, resultType: "failure" };
      }
    },
  };
}
