import type { Tool, ToolResultObject } from "@github/copilot-sdk";
import { messageOf } from "../core/errors.ts";
import type { HostTool } from "../core/ports/agent-runtime.ts";
import type { GatedCalls } from "./gated-calls.ts";

/**
 * A tool of ours as the SDK registers it: never asked about by the permission handler, never hidden behind tool search. It
 * asks the gate itself for each call. `onTerminal` is called when a successful call ends the turn.
 */
export function toSdkTool(tool: HostTool, calls: GatedCalls, onTerminal: () => void): Tool {
  return {
    name: tool.name,
    description: tool.description,
    parameters: { ...tool.parameters },
    isTerminal: tool.terminal,
    skipPermission: true,
    defer: "never",
    async handler(args, invocation): Promise<ToolResultObject> {
      try {
        const { toolCallId } = invocation;
        const refusal = await calls.refusal(toolCallId, { toolName: tool.name, args });
        if (refusal !== undefined) return { textResultForLlm: refusal, resultType: "denied" };
        const answer = await tool.call(args, {
          toolCallId,
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
