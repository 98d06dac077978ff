import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Answer } from "./answer.ts";
import type { ModelMessage } from "./choose-step.ts";
import type { ModelApi } from "./model-api.ts";
import { content, headerOf, type ModelRequest, type Received } from "./model-request.ts";

const block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  content: z.unknown().optional(),
});

const bodySchema = z.looseObject({
  model: z.string(),
  max_tokens: z.int(),
  stream: z.boolean().default(false),
  temperature: z.number().optional(),
  system: content,
  messages: z.array(
    z.looseObject({
      role: z.enum(["user", "assistant", "system"]),
      content: z.union([
        z.string().transform((text) => [{ type: "text", text, content: undefined }]),
        z.array(block),
      ]),
    }),
  ),
  tools: z.array(z.looseObject({ name: z.string() })).default([]),
});

function parse(received: Received): ModelRequest {
  const request = bodySchema.parse(JSON.parse(received.body));
  const system: ModelMessage[] = request.system === "" ? [] : [{ role: "system", content: request.system }];
  return {
    api: "anthropic",
    model: request.model,
    stream: request.stream,
    temperature: request.temperature,
    body: received.body,
    authorization: headerOf(received, "x-api-key") ?? headerOf(received, "authorization"),
    messages: [...system, ...request.messages.flatMap(messagesOf)],
    tools: request.tools.map(({ name }) => name),
  };
}

/** A message of the user may hold results of tools, each a message of its own, before its text. */
function messagesOf(message: z.infer<typeof bodySchema>["messages"][number]): ModelMessage[] {
  const results = message.content
    .filter(({ type }) => type === "tool_result")
    .map((result): ModelMessage => ({ role: "tool", content: content.parse(result.content) }));
  const text = message.content.flatMap((part) => (part.type === "text" ? (part.text ?? "") : [])).join("\n");
  if (message.role !== "assistant" && text === "") return results;
  return [...results, { role: message.role, content: text }];
}

const STOPPED = { stop_sequence: null };

function messageOf(request: ModelRequest, answer: Answer) {
  return {
    id: `msg_${randomUUID()}`,
    type: "message",
    role: "assistant",
    model: request.model,
    content: blocksOf(answer),
    stop_reason: answer.calls.length > 0 ? "tool_use" : "end_turn",
    ...STOPPED,
    usage: {
      input_tokens: answer.promptTokens,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: answer.answerTokens,
    },
  };
}

function blocksOf({ text, calls }: Answer) {
  return [
    ...(text === "" && calls.length > 0 ? [] : [{ type: "text" as const, text }]),
    ...calls.map(({ id, name, args }) => ({
      type: "tool_use" as const,
      id: `toolu_${id}`,
      name,
      input: args,
    })),
  ];
}

function events(request: ModelRequest, answer: Answer): string {
  const message = messageOf(request, answer);
  const begun = { ...message, content: [], stop_reason: null, usage: { ...message.usage, output_tokens: 1 } };
  const told = [
    { type: "message_start", message: begun },
    { type: "ping" },
    ...message.content.flatMap(blockEvents),
    {
      type: "message_delta",
      delta: { stop_reason: message.stop_reason, ...STOPPED },
      usage: { output_tokens: message.usage.output_tokens },
    },
    { type: "message_stop" },
  ];
  return told.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

function blockEvents(done: ReturnType<typeof blocksOf>[number], index: number) {
  const [begun, delta] =
    done.type === "text"
      ? [
          { ...done, text: "" },
          { type: "text_delta", text: done.text },
        ]
      : [
          { ...done, input: {} },
          { type: "input_json_delta", partial_json: JSON.stringify(done.input) },
        ];
  return [
    { type: "content_block_start", index, content_block: begun },
    { type: "content_block_delta", index, delta },
    { type: "content_block_stop", index },
  ];
}

const ERRORS: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};

/** Anthropic's messages. */
export const anthropic: ModelApi = {
  serves: (path) => path === "/v1/messages",
  parse,
  body: (request, answer) => JSON.stringify(messageOf(request, answer)),
  events,
  refusal: (status, message) =>
    JSON.stringify({
      type: "error",
      error: { type: ERRORS[status] ?? (status < 500 ? "invalid_request_error" : "api_error"), message },
      request_id: `req_${randomUUID()}`,
    }),
};
