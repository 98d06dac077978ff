import { z } from "zod";
import type { ModelMessage } from "./choose-step.ts";

/** One request to the model, in the form that tests and the demo use, whatever API it came by. */
export interface ModelRequest {
  readonly api: "chat" | "responses" | "anthropic" | "gemini";
  readonly model: string;
  readonly stream: boolean;
  /** Undefined where the request has none. */
  readonly temperature: number | undefined;
  readonly messages: readonly ModelMessage[];
  /** Names of the available tools; one in a namespace is `NAMESPACE/NAME`. */
  readonly tools: readonly string[];
  /** As it was received. */
  readonly body: string;
  /** Value of the header that carries the key in this API. */
  readonly authorization: string | undefined;
}

/** A request as HTTP brings it. */
export interface Received {
  /** Path with the query. */
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

const part = z.looseObject({ text: z.string().optional() });

/** Text content in any of the forms that the APIs have: a string, or parts of which some have text. */
export const content = z
  .union([z.string(), z.array(part), z.null()])
  .optional()
  .transform((value) =>
    Array.isArray(value) ? value.map(({ text }) => text ?? "").join("\n") : (value ?? ""),
  );

/** The value of a header; undefined where there is none or several. */
export function headerOf({ headers }: Received, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}

/** Joins neighbouring messages of the assistant: some APIs write one answer as several items. */
export function oneMessageAnAnswer(messages: readonly ModelMessage[]): ModelMessage[] {
  const joined: ModelMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (message.role === "assistant" && last?.role === "assistant")
      joined[joined.length - 1] = { role: "assistant", content: last.content + message.content };
    else joined.push(message);
  }
  return joined;
}

/** Returns the agent's working directory from the runtime's system prompt; undefined if the prompt does not name it. */
export function workingDirectoryIn(messages: readonly ModelMessage[]): string | undefined {
  for (const { role, content: text } of messages) {
    const found = role === "system" ? /working directory:\s*`?([^\s`]+)/i.exec(text)?.[1] : undefined;
    if (found) return found;
  }
  return undefined;
}
