import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Answer } from "./answer.ts";
import type { ModelMessage } from "./choose-step.ts";
import type { ModelApi } from "./model-api.ts";
import { headerOf, type ModelRequest, oneMessageAnAnswer, type Received } from "./model-request.ts";

const PATH = /^\/v1(?:beta)?\/models\/([^/:]+):(generateContent|streamGenerateContent)$/;

const part = z.looseObject({
  text: z.string().optional(),
  /** The text is what the model thought, not what it said. */
  thought: z.boolean().optional(),
  functionResponse: z.looseObject({ response: z.record(z.string(), z.unknown()).default({}) }).optional(),
});

const bodySchema = z.looseObject({
  systemInstruction: z.looseObject({ parts: z.array(part) }).optional(),
  contents: z.array(z.looseObject({ role: z.enum(["user", "model"]).default("user"), parts: z.array(part) })),
  tools: z
    .array(z.looseObject({ functionDeclarations: z.array(z.looseObject({ name: z.string() })).default([]) }))
    .default([]),
  generationConfig: z.looseObject({ temperature: z.number().optional() }).default({}),
});

function parse(received: Received): ModelRequest {
  const [, model = "", method] = PATH.exec(pathOf(received.url)) ?? [];
  const request = bodySchema.parse(JSON.parse(received.body));
  const system = textOf(request.systemInstruction?.parts ?? []);
  return {
    api: "gemini",
    model,
    stream: method === "streamGenerateContent",
    temperature: request.generationConfig.temperature,
    body: received.body,
    authorization: headerOf(received, "x-goog-api-key"),
    messages: oneMessageAnAnswer([
      ...(system === "" ? [] : [{ role: "system" as const, content: system }]),
      ...request.contents.flatMap(messagesOf),
    ]),
    tools: request.tools.flatMap(({ functionDeclarations }) => functionDeclarations.map(({ name }) => name)),
  };
}

function pathOf(url: string): string {
  return url.split("?", 1)[0] ?? "";
}

function textOf(parts: readonly z.infer<typeof part>[]): string {
  return parts.flatMap(({ text, thought }) => (text === undefined || thought ? [] : text)).join("\n");
}

/** Answers of tools are a message of the user's, in which each is a part. */
function messagesOf({ role, parts }: z.infer<typeof bodySchema>["contents"][number]): ModelMessage[] {
  const results = parts.flatMap(({ functionResponse }): ModelMessage | [] =>
    functionResponse === undefined ? [] : { role: "tool", content: resultOf(functionResponse.response) },
  );
  const text = textOf(parts);
  if (role === "model") return [{ role: "assistant", content: text }];
  return text === "" ? results : [...results, { role: "user", content: text }];
}

/** What a tool said is below `output` or `error` by custom; any object is allowed. */
function resultOf(response: Readonly<Record<string, unknown>>): string {
  const said = response["output"] ?? response["error"];
  return typeof said === "string" ? said : JSON.stringify(response);
}

function answerBody(request: ModelRequest, { text, calls, promptTokens, answerTokens }: Answer) {
  const said = text === "" && calls.length > 0 ? [] : [{ text }];
  // Calls have no ids in this API.
  const called = calls.map(({ name, args }) => ({ functionCall: { name, args } }));
  return {
    candidates: [{ index: 0, finishReason: "STOP", content: { role: "model", parts: [...said, ...called] } }],
    usageMetadata: {
      promptTokenCount: promptTokens,
      candidatesTokenCount: answerTokens,
      totalTokenCount: promptTokens + answerTokens,
    },
    modelVersion: request.model,
    responseId: randomUUID(),
  };
}

const STATUSES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

/** Google's Gemini. */
export const gemini: ModelApi = {
  serves: (path) => PATH.test(path),
  parse,
  body: (request, answer) => JSON.stringify(answerBody(request, answer)),
  events: (request, answer) => `data: ${JSON.stringify(answerBody(request, answer))}\r\n\r\n`,
  refusal: (status, message) =>
    JSON.stringify({ error: { code: status, message, status: STATUSES[status] ?? "UNKNOWN" } }),
};
