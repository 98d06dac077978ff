import { z } from "zod";
import type { ModelMessage } from "./choose-step.ts";

const content = z
  .union([z.string(), z.array(z.looseObject({ text: z.string().optional() })), z.null()])
  .optional()
  .transform((value) =>
    Array.isArray(value) ? value.map(({ text }) => text ?? "").join("\n") : (value ?? ""),
  );

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

/** One request to the model, in the form that tests and the demo use. */
export interface ModelRequest {
  readonly model: string;
  readonly stream: boolean;
  /** Undefined where the request has none. */
  readonly temperature: number | undefined;
  readonly messages: readonly ModelMessage[];
  /** Names of the available tools. */
  readonly tools: readonly string[];
  /** As it was received. */
  readonly body: string;
  /** Value of the Authorization header. */
  readonly authorization: string | undefined;
}

/** Parses the body of a chat completion request. Throws `ZodError` or `SyntaxError` if it is not one. */
export function parseChatRequest(body: string, authorization: string | undefined): ModelRequest {
  const request = bodySchema.parse(JSON.parse(body));
  return {
    model: request.model,
    stream: request.stream,
    temperature: request.temperature,
    body,
    authorization,
    messages: request.messages.map((message) => ({
      role: message.role === "developer" ? "system" : message.role,
      content: message.content,
    })),
    tools: request.tools.map((tool) => (tool.function ?? tool.custom)?.name ?? ""),
  };
}

/** Returns the agent's working directory from the runtime's system prompt; undefined if the prompt does not name it. */
export function workingDirectoryIn(messages: readonly ModelMessage[]): string | undefined {
  for (const { role, content: text } of messages) {
    const found = role === "system" ? /working directory:\s*`?([^\s`]+)/i.exec(text)?.[1] : undefined;
    if (found) return found;
  }
  return undefined;
}
