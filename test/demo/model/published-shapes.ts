import { z } from "zod";

/*
 * Answers and errors as the providers publish them, keys that always stand there included, none besides:
 * platform.openai.com/docs/api-reference (chat, responses and their streaming events), docs.anthropic.com/en/api/messages and
 * .../streaming and .../errors, ai.google.dev/api/generate-content and cloud.google.com/apis/design/errors.
 */

const count = z.int().min(0);
const jsonObject = z.string().refine((text) => typeof JSON.parse(text) === "object", "not a JSON object");

const chatCall = z.strictObject({
  id: z.string().startsWith("call_"),
  type: z.literal("function"),
  function: z.strictObject({ name: z.string(), arguments: jsonObject }),
});
const chatUsage = z
  .strictObject({ prompt_tokens: count, completion_tokens: count, total_tokens: count })
  .refine((usage) => usage.total_tokens === usage.prompt_tokens + usage.completion_tokens);
const chatHead = { id: z.string().startsWith("chatcmpl-"), created: z.int(), model: z.string() };
const chatEnd = z.enum(["stop", "tool_calls"]);

export const chatBody = z.strictObject({
  ...chatHead,
  object: z.literal("chat.completion"),
  choices: z.tuple([
    z.strictObject({
      index: z.literal(0),
      finish_reason: chatEnd,
      message: z.strictObject({
        role: z.literal("assistant"),
        content: z.string().nullable(),
        tool_calls: z.array(chatCall).min(1).optional(),
      }),
    }),
  ]),
  usage: chatUsage,
});

export const chatEvent = z.strictObject({
  ...chatHead,
  object: z.literal("chat.completion.chunk"),
  choices: z
    .array(
      z.strictObject({
        index: z.literal(0),
        finish_reason: chatEnd.nullable(),
        delta: z.strictObject({
          role: z.literal("assistant").optional(),
          content: z.string().optional(),
          tool_calls: z.array(chatCall.extend({ index: count })).optional(),
        }),
      }),
    )
    .max(1),
  usage: chatUsage.optional(),
});

const responsesText = z.strictObject({
  type: z.literal("output_text"),
  text: z.string(),
  annotations: z.array(z.never()),
});
const itemState = z.enum(["in_progress", "completed"]);
const responsesItem = z.discriminatedUnion("type", [
  z.strictObject({
    id: z.string().startsWith("msg_"),
    type: z.literal("message"),
    role: z.literal("assistant"),
    status: itemState,
    content: z.array(responsesText),
  }),
  z.strictObject({
    id: z.string().startsWith("fc_"),
    type: z.literal("function_call"),
    status: itemState,
    call_id: z.string().startsWith("call_"),
    name: z.string(),
    namespace: z.string().optional(),
    arguments: z.string(),
  }),
]);
const responsesUsage = z.strictObject({
  input_tokens: count,
  input_tokens_details: z.strictObject({ cached_tokens: count }),
  output_tokens: count,
  output_tokens_details: z.strictObject({ reasoning_tokens: count }),
  total_tokens: count,
});
export const responsesBody = z.strictObject({
  id: z.string().startsWith("resp_"),
  object: z.literal("response"),
  created_at: z.int(),
  status: itemState,
  error: z.null(),
  incomplete_details: z.null(),
  model: z.string(),
  output: z.array(responsesItem),
  usage: responsesUsage.nullable(),
});

const sequence = { sequence_number: count };
const itemPlace = { ...sequence, item_id: z.string(), output_index: count };
const textPlace = { ...itemPlace, content_index: count };
const event = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.strictObject({ type: z.literal(type), ...shape });

export const responsesEvent = z.discriminatedUnion("type", [
  event("response.created", { ...sequence, response: responsesBody }),
  event("response.in_progress", { ...sequence, response: responsesBody }),
  event("response.output_item.added", { ...sequence, output_index: count, item: responsesItem }),
  event("response.content_part.added", { ...textPlace, part: responsesText }),
  event("response.output_text.delta", { ...textPlace, delta: z.string() }),
  event("response.output_text.done", { ...textPlace, text: z.string() }),
  event("response.content_part.done", { ...textPlace, part: responsesText }),
  event("response.function_call_arguments.delta", { ...itemPlace, delta: z.string() }),
  event("response.function_call_arguments.done", { ...itemPlace, arguments: jsonObject }),
  event("response.output_item.done", { ...sequence, output_index: count, item: responsesItem }),
  event("response.completed", { ...sequence, response: responsesBody }),
]);

export const openAiError = z.strictObject({
  error: z.strictObject({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string().nullable(),
  }),
});

const anthropicBlock = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string() }),
  z.strictObject({
    type: z.literal("tool_use"),
    id: z.string().startsWith("toolu_"),
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
  }),
]);
const anthropicStop = { stop_reason: z.enum(["end_turn", "tool_use"]), stop_sequence: z.null() };
export const anthropicBody = z.strictObject({
  id: z.string().startsWith("msg_"),
  type: z.literal("message"),
  role: z.literal("assistant"),
  model: z.string(),
  content: z.array(anthropicBlock),
  ...anthropicStop,
  usage: z.strictObject({
    input_tokens: count,
    cache_creation_input_tokens: count,
    cache_read_input_tokens: count,
    output_tokens: count,
  }),
});
export const anthropicEvent = z.discriminatedUnion("type", [
  event("message_start", {
    message: anthropicBody.extend({ stop_reason: z.null(), content: z.tuple([]) }),
  }),
  event("ping", {}),
  event("content_block_start", { index: count, content_block: anthropicBlock }),
  event("content_block_delta", {
    index: count,
    delta: z.discriminatedUnion("type", [
      z.strictObject({ type: z.literal("text_delta"), text: z.string() }),
      z.strictObject({ type: z.literal("input_json_delta"), partial_json: z.string() }),
    ]),
  }),
  event("content_block_stop", { index: count }),
  event("message_delta", {
    delta: z.strictObject(anthropicStop),
    usage: z.strictObject({ output_tokens: count }),
  }),
  event("message_stop", {}),
]);
export const anthropicError = z.strictObject({
  type: z.literal("error"),
  error: z.strictObject({ type: z.string(), message: z.string() }),
  request_id: z.string().startsWith("req_"),
});

export const geminiBody = z.strictObject({
  candidates: z.tuple([
    z.strictObject({
      index: z.literal(0),
      finishReason: z.literal("STOP"),
      content: z.strictObject({
        role: z.literal("model"),
        parts: z.array(
          z.union([
            z.strictObject({ text: z.string() }),
            z.strictObject({
              functionCall: z.strictObject({ name: z.string(), args: z.record(z.string(), z.unknown()) }),
            }),
          ]),
        ),
      }),
    }),
  ]),
  usageMetadata: z.strictObject({
    promptTokenCount: count,
    candidatesTokenCount: count,
    totalTokenCount: count,
  }),
  modelVersion: z.string(),
  responseId: z.string(),
});
export const geminiError = z.strictObject({
  error: z.strictObject({ code: z.int(), message: z.string(), status: z.string() }),
});
