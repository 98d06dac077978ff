import { expect } from "vitest";
import type { ModelRequest } from "../src/demo/model/model-request.ts";

/** The bytes of each request up to the end of its messages, and all that stands behind them. */
function split({ body }: ModelRequest): { readonly messages: string; readonly rest: unknown } {
  const { messages, ...rest } = JSON.parse(body);
  const text = JSON.stringify({ model: rest.model, messages });
  expect(body.startsWith(text.slice(0, -1))).toBe(true);
  return { messages: text.slice(0, -2), rest };
}

/** Expects each request of a conversation to begin with the bytes of the one before, and to differ in nothing else. */
export function expectContinued(requests: readonly ModelRequest[]): void {
  const parts = requests.map(split);
  for (const [index, { messages, rest }] of parts.slice(1).entries()) {
    const before = parts[index]?.messages ?? "";
    expect(messages.slice(0, before.length)).toBe(before);
    expect(rest).toEqual(parts[0]?.rest);
  }
}
