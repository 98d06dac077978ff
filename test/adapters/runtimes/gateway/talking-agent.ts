import { AnswerValues } from "../../../../src/adapters/runtimes/gateway/answer-values.ts";
import type { Dialect, WrittenCall } from "../../../../src/adapters/runtimes/gateway/dialects/dialect.ts";
import type { SessionGateway } from "../../../../src/adapters/runtimes/gateway/session-gateway.ts";

type Item =
  | { readonly user: string }
  | { readonly said: string; readonly calls: readonly WrittenCall[] }
  | { readonly result: string; readonly of: WrittenCall };

/** Writes the conversation as an agent of the API does. */
type Write = (items: readonly Item[], tools: readonly string[]) => object;

const SYSTEM = "You are a test. Role: contract.";

const chat: Write = (items, tools) => ({
  model: "theirs",
  stream: true,
  tools: tools.map((name) => ({ type: "function", function: { name, parameters: {} } })),
  messages: [
    { role: "system", content: SYSTEM },
    ...items.map((item) => {
      if ("user" in item) return { role: "user", content: item.user };
      if ("result" in item) return { role: "tool", tool_call_id: item.of.id, content: item.result };
      const tool_calls = item.calls.map(({ id, name, args }) => ({
        id,
        type: "function",
        function: { name, arguments: JSON.stringify(args) },
      }));
      return { role: "assistant", content: item.said, ...(tool_calls.length > 0 ? { tool_calls } : {}) };
    }),
  ],
});

const responses: Write = (items, tools) => ({
  model: "theirs",
  stream: true,
  instructions: SYSTEM,
  tools: [{ type: "namespace", name: "mcp__host", tools: tools.map((name) => ({ type: "function", name })) }],
  input: items.flatMap((item): object[] => {
    if ("user" in item)
      return [{ type: "message", role: "user", content: [{ type: "input_text", text: item.user }] }];
    if ("result" in item) return [{ type: "function_call_output", call_id: item.of.id, output: item.result }];
    const said = { type: "message", role: "assistant", content: [{ type: "output_text", text: item.said }] };
    const calls = item.calls.map(({ id, name, args }) => ({
      type: "function_call",
      call_id: id,
      namespace: "mcp__host",
      name: name.split("/").at(-1),
      arguments: JSON.stringify(args),
    }));
    return [...(item.said === "" ? [] : [said]), ...calls];
  }),
});

const anthropic: Write = (items, tools) => ({
  model: "theirs",
  max_tokens: 1000,
  stream: true,
  system: SYSTEM,
  tools: tools.map((name) => ({ name, input_schema: {} })),
  messages: items.map((item, index) => {
    const cache_control = index === items.length - 1 ? { cache_control: { type: "ephemeral" } } : {};
    if ("user" in item)
      return { role: "user", content: [{ type: "text", text: item.user, ...cache_control }] };
    if ("result" in item) {
      const result = { type: "tool_result", tool_use_id: item.of.id, content: item.result, ...cache_control };
      return { role: "user", content: [result] };
    }
    const calls = item.calls.map(({ id, name, args }) => ({ type: "tool_use", id, name, input: args }));
    const text = item.said === "" ? [] : [{ type: "text", text: item.said }];
    return { role: "assistant", content: [...text, ...calls] };
  }),
});

const gemini: Write = (items, tools) => ({
  systemInstruction: { parts: [{ text: SYSTEM }] },
  tools: [{ functionDeclarations: tools.map((name) => ({ name })) }],
  contents: items.map((item) => {
    if ("user" in item) return { role: "user", parts: [{ text: item.user }] };
    if ("result" in item)
      return {
        role: "user",
        parts: [{ functionResponse: { name: item.of.name, response: { output: item.result } } }],
      };
    const calls = item.calls.map(({ name, args }) => ({ functionCall: { name, args } }));
    return { role: "model", parts: [...(item.said === "" ? [] : [{ text: item.said }]), ...calls] };
  }),
});

const PATHS = {
  completions: ["/v1/chat/completions", chat],
  responses: ["/v1/responses", responses],
  anthropic: ["/v1/messages?beta=true", anthropic],
  gemini: ["/v1beta/models/theirs:streamGenerateContent?alt=sse", gemini],
} as const;

/** An agent that keeps one conversation and asks the gateway, as those of the API do. */
export class TalkingAgent {
  items: Item[] = [];
  tools: readonly string[] = ["host_note", "host_refuse", "host_finish", "bash"];
  readonly #dialect: Dialect;
  readonly #gateway: SessionGateway;

  constructor(dialect: Dialect, gateway: SessionGateway) {
    this.#dialect = dialect;
    this.#gateway = gateway;
  }

  says(user: string): this {
    this.items.push({ user });
    return this;
  }

  results(of: readonly WrittenCall[], ...texts: readonly string[]): this {
    for (const [place, call] of of.entries()) this.items.push({ result: texts[place] ?? "", of: call });
    return this;
  }

  body(more: object = {}): string {
    const [, write] = PATHS[this.#dialect.api];
    return JSON.stringify({ ...write(this.items, this.tools), ...more });
  }

  /** Sends the conversation as it is. */
  send(body = this.body(), signal = new AbortController().signal): Promise<Response> {
    const [path] = PATHS[this.#dialect.api];
    return this.#gateway.handle(
      new Request(`http://flotilla.invalid${path}`, {
        method: "POST",
        body,
        signal,
        headers: { authorization: "Bearer placeholder", "x-theirs": "1" },
      }),
    );
  }

  /** Asks the model, and takes its answer into the conversation. */
  async asks(): Promise<{ status: number; text: string; calls: readonly WrittenCall[]; body: string }> {
    const response = await this.send();
    const body = await response.text();
    const [values, answer] = [new AnswerValues(), this.#dialect.answer()];
    for (const value of [...values.add(Buffer.from(body)), ...values.end()]) answer.see(value);
    const [text, calls] = [answer.text(), answer.calls()];
    if (response.ok) this.items.push({ said: text, calls });
    return { status: response.status, text, calls, body };
  }
}
