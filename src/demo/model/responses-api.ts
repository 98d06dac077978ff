import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Answer } from "./answer.ts";
import { openAiRefusal } from "./chat-api.ts";
import type { ModelMessage } from "./choose-step.ts";
import type { ModelApi } from "./model-api.ts";
import { content, headerOf, type ModelRequest, oneMessageAnAnswer, type Received } from "./model-request.ts";

const item = z.looseObject({
  type: z.string().optional(),
  role: z.enum(["system", "developer", "user", "assistant"]).optional(),
  content,
  output: content,
});

const tool = z.looseObject({
  type: z.string(),
  name: z.string().optional(),
  /** Those of a namespace. */
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
});

const bodySchema = z.looseObject({
  model: z.string(),
  stream: z.boolean().default(false),
  temperature: z.number().optional(),
  instructions: z.string().nullish(),
  input: z.union([z.string(), z.array(item)]),
  tools: z.array(tool).default([]),
});

function parse(received: Received): ModelRequest {
  const request = bodySchema.parse(JSON.parse(received.body));
  const items =
    typeof request.input === "string"
      ? [{ role: "user" as const, content: request.input, output: "" }]
      : request.input;
  const system: ModelMessage[] = request.instructions
    ? [{ role: "system", content: request.instructions }]
    : [];
  return {
    api: "responses",
    model: request.model,
    stream: request.stream,
    temperature: request.temperature,
    body: received.body,
    authorization: headerOf(received, "authorization"),
    messages: oneMessageAnAnswer([...system, ...items.flatMap(messageOf)]),
    tools: request.tools.flatMap(({ type, name, tools }) =>
      tools === undefined ? (name ?? type) : tools.map((inner) => `${name}/${inner.name}`),
    ),
  };
}

/** The message that an item is, if it is one: what the model reasoned stands beside its answer. */
function messageOf(entry: z.infer<typeof item>): ModelMessage | [] {
  if (entry.type?.endsWith("_call_output")) return { role: "tool", content: entry.output };
  if (entry.type?.endsWith("_call")) return { role: "assistant", content: "" };
  if (entry.role === undefined) return [];
  return { role: entry.role === "developer" ? "system" : entry.role, content: entry.content };
}

function outputOf({ text, calls }: Answer) {
  const message = {
    id: `msg_${randomUUID()}`,
    type: "message" as const,
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text, annotations: [] }],
  };
  const called = calls.map(({ id, name, args }) => {
    const [inner = "", space] = name.split("/").toReversed();
    return {
      id: `fc_${id}`,
      type: "function_call" as const,
      status: "completed",
      call_id: `call_${id}`,
      name: inner,
      ...(space === undefined ? {} : { namespace: space }),
      arguments: JSON.stringify(args),
    };
  });
  return [...(text === "" && calls.length > 0 ? [] : [message]), ...called];
}

function responseOf(request: ModelRequest, answer: Answer) {
  return {
    id: `resp_${randomUUID()}`,
    object: "response",
    created_at: Math.floor(Date.now() / 1000),
    status: "completed",
    error: null,
    incomplete_details: null,
    model: request.model,
    output: outputOf(answer),
    usage: {
      input_tokens: answer.promptTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: answer.answerTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: answer.promptTokens + answer.answerTokens,
    },
  };
}

function events(request: ModelRequest, answer: Answer): string {
  const response = responseOf(request, answer);
  const begun = { ...response, status: "in_progress", output: [], usage: null };
  const told: Event[] = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...response.output.flatMap(itemEvents),
    { type: "response.completed", response },
  ];
  return told
    .map(
      (event, index) =>
        `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: index })}\n\n`,
    )
    .join("");
}

interface Event {
  readonly type: string;
  readonly [key: string]: unknown;
}

function itemEvents(done: ReturnType<typeof outputOf>[number], index: number): readonly Event[] {
  const place = { item_id: done.id, output_index: index };
  const ended = { type: "response.output_item.done", output_index: index, item: done };
  const added = (begun: object): Event => ({
    type: "response.output_item.added",
    output_index: index,
    item: { ...done, status: "in_progress", ...begun },
  });
  if (done.type === "function_call") {
    return [
      added({ arguments: "" }),
      { type: "response.function_call_arguments.delta", ...place, delta: done.arguments },
      { type: "response.function_call_arguments.done", ...place, arguments: done.arguments },
      ended,
    ];
  }
  return [
    added({ content: [] }),
    ...done.content.flatMap((part, content_index) => [
      { type: "response.content_part.added", ...place, content_index, part: { ...part, text: "" } },
      { type: "response.output_text.delta", ...place, content_index, delta: part.text },
      { type: "response.output_text.done", ...place, content_index, text: part.text },
      { type: "response.content_part.done", ...place, content_index, part },
    ]),
    ended,
  ];
}

/** OpenAI's responses. */
export const responses: ModelApi = {
  serves: (path) => path === "/v1/responses",
  parse,
  body: (request, answer) => JSON.stringify(responseOf(request, answer)),
  events,
  refusal: openAiRefusal,
};
