import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Answer } from "./answer.ts";
import type { ModelApi } from "./model-api.ts";
import { content, headerOf, type ModelRequest, type Received } from "./model-request.ts";

const named = z.looseObject({ name: z.string() });

const bodySchema = z.looseObject({
  model: z.string(),
  stream: z.boolean().default(false),
  temperature: z.number().optional(),
  messages: z.array(
    z.looseObject({ role: z.enum(["system", "developer", "user", "assistant", "tool"]), content }),
  ),
  // A freeform tool has its name under `custom`.
  tools: z.array(z.looseObject({ function: named.optional(), custom: named.optional() })).default([]),
});

function parse(received: Received): ModelRequest {
  const request = bodySchema.parse(JSON.parse(received.body));
  return {
    api: "chat",
    model: request.model,
    stream: request.stream,
    temperature: request.temperature,
    body: received.body,
    authorization: headerOf(received, "authorization"),
    messages: request.messages.map((message) => ({
      role: message.role === "developer" ? "system" : message.role,
      content: message.content,
    })),
    tools: request.tools.map((tool) => (tool.function ?? tool.custom)?.name ?? ""),
  };
}

function messageOf({ text, calls }: Answer) {
  const toolCalls = calls.map(({ id, name, args }) => ({
    id: `call_${id}`,
    type: "function" as const,
    function: { name, arguments: JSON.stringify(args) },
  }));
  return {
    role: "assistant" as const,
    content: text === "" && calls.length > 0 ? null : text,
    ...(calls.length > 0 ? { tool_calls: toolCalls } : {}),
  };
}

function usageOf({ promptTokens, answerTokens }: Answer) {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: answerTokens,
    total_tokens: promptTokens + answerTokens,
  };
}

function body(request: ModelRequest, answer: Answer): string {
  const message = messageOf(answer);
  return JSON.stringify({
    ...envelope(request, "chat.completion"),
    choices: [{ index: 0, message, finish_reason: message.tool_calls ? "tool_calls" : "stop" }],
    usage: usageOf(answer),
  });
}

function events(request: ModelRequest, answer: Answer): string {
  const message = messageOf(answer);
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
    { ...head, choices: [], usage: usageOf(answer) },
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

/** The body of an error in both APIs of OpenAI. */
export function openAiRefusal(status: number, message: string): string {
  return JSON.stringify({ error: { message, type: "scripted", param: null, code: String(status) } });
}

/** OpenAI's chat completions. */
export const chat: ModelApi = {
  serves: (path) => path === "/v1/chat/completions",
  parse,
  body,
  events,
  refusal: openAiRefusal,
};
