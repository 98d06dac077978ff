import { randomUUID } from "node:crypto";
import type { ModelRequest } from "./chat-request.ts";
import type { ScriptStep } from "./script.ts";

interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

/** Builds the message of a chat completion: the text, and the calls with their own ids. */
function answerMessage(step: ScriptStep) {
  const calls = (step.call ?? []).map(({ tool, args }) => ({
    id: `call_${randomUUID().replaceAll("-", "")}`,
    type: "function" as const,
    function: { name: tool, arguments: JSON.stringify(args) },
  }));
  return {
    role: "assistant" as const,
    content: step.say ?? (calls.length > 0 ? null : ""),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
}

/** Estimates token counts at four characters per token, so that they grow with the conversation as real ones do. */
function usageOf(request: ModelRequest, message: ReturnType<typeof answerMessage>): Usage {
  const prompt = Math.ceil(request.messages.reduce((sum, { content }) => sum + content.length, 0) / 4);
  const completion = Math.ceil(JSON.stringify(message).length / 4);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

/** Builds the whole answer as one JSON body. */
export function completionBody(request: ModelRequest, step: ScriptStep): string {
  const message = answerMessage(step);
  return JSON.stringify({
    ...envelope(request, "chat.completion"),
    choices: [{ index: 0, message, finish_reason: message.tool_calls ? "tool_calls" : "stop" }],
    usage: usageOf(request, message),
  });
}

/** Builds the same answer as server-sent events. */
export function completionEvents(request: ModelRequest, step: ScriptStep): string {
  const message = answerMessage(step);
  const head = envelope(request, "chat.completion.chunk");
  const deltas = [
    { role: message.role, content: "" },
    ...(message.content ? [{ content: message.content }] : []),
    ...(message.tool_calls ?? []).map((call, index) => ({ tool_calls: [{ index, ...call }] })),
  ];
  const chunks = [
    ...deltas.map((delta) => ({ ...head, choices: [{ index: 0, delta, finish_reason: null }] })),
    {
      ...head,
      choices: [{ index: 0, delta: {}, finish_reason: message.tool_calls ? "tool_calls" : "stop" }],
    },
    { ...head, choices: [], usage: usageOf(request, message) },
  ];
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n`;
}

function envelope(request: ModelRequest, object: string) {
  return {
    id: `chatcmpl-${randomUUID()}`,
    object,
    created: Math.floor(Date.now() / 1000),
    model: request.model,
  };
}
