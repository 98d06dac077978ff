import type { SessionEvent } from "@github/copilot-sdk";
import type { RuntimeEvent } from "../../../domain/ports/agent-runtime.ts";

/** Converts an event of the SDK to our terms; undefined for one that we do not use. */
export function toRuntimeEvent(event: SessionEvent): RuntimeEvent | undefined {
  switch (event.type) {
    case "assistant.turn_start":
      return { type: "turn_started", turnId: event.data.turnId };
    case "assistant.turn_end":
      return { type: "turn_ended", turnId: event.data.turnId };
    case "assistant.message_delta":
      return event.data.deltaContent === ""
        ? undefined
        : { type: "message_delta", text: event.data.deltaContent };
    case "assistant.message":
      return event.data.content === "" ? undefined : { type: "message", text: event.data.content };
    case "tool.execution_start":
      return {
        type: "tool_started",
        toolCallId: event.data.toolCallId,
        toolName: event.data.toolName,
        args: event.data.arguments ?? {},
      };
    case "tool.execution_complete":
      return {
        type: "tool_ended",
        toolCallId: event.data.toolCallId,
        ok: event.data.success,
        denied: isDenial(event.data.error?.code),
        output: event.data.result?.content ?? event.data.error?.message ?? "",
      };
    case "assistant.usage":
      return usage(event.data.model, event.data);
    case "session.compaction_complete":
      // The summary of a compaction is a model call that no assistant.usage reports.
      return event.data.compactionTokensUsed
        ? usage(event.data.compactionTokensUsed.model ?? "", event.data.compactionTokensUsed)
        : undefined;
    case "session.usage_info":
      return { type: "context", currentTokens: event.data.currentTokens, tokenLimit: event.data.tokenLimit };
    case "session.compaction_start":
    case "assistant.reasoning_delta":
      return { type: "sign", of: "model" };
    case "tool.execution_partial_result":
    case "tool.execution_progress":
      return { type: "sign", of: "tool" };
    default:
      return undefined;
  }
}

function isDenial(code: string | undefined): boolean {
  return code === "denied" || code === "rejected";
}

function usage(
  model: string,
  tokens: { inputTokens?: number; outputTokens?: number; cacheReadTokens?: number },
): RuntimeEvent {
  return {
    type: "usage",
    model,
    inputTokens: tokens.inputTokens ?? 0,
    outputTokens: tokens.outputTokens ?? 0,
    cachedTokens: tokens.cacheReadTokens ?? 0,
    answered: true,
  };
}
