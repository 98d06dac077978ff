import type { AnswerPart, AnswerParts, Dialect, Fault, ToolResult, WrittenCall } from "./dialect.ts";
import {
  appendContent,
  argsOf,
  contentText,
  EVENTS,
  faultIn,
  field,
  JSON_TYPE,
  listIn,
  objectIn,
  streamOf,
  textIn,
  without,
  withTools,
} from "./fields.ts";

/** Types of tools that the agent runs; the provider runs the others, and has a network. */
const RUN_BY_AGENT = /^(?:|custom|(?:bash|text_editor|memory|computer)_\d+)$/;

/** Anthropic's messages. */
export const anthropic: Dialect = {
  api: "anthropic",
  call(path) {
    const found = /^(?:\/v1)?\/messages(\?beta=true)?$/.exec(path);
    return found === null ? null : { streams: undefined, query: found[1] ?? "" };
  },
  url: ({ provider }, { query }) => `${provider.baseUrl.replace(/(?:\/v1)?\/*$/, "")}/v1/messages${query}`,
  read: (body) => ({
    streams: field(body, "stream") === true,
    offered: listIn(body, "tools")
      .map((tool) => textIn(tool, "name"))
      .filter((name) => name !== ""),
    messages: listIn(body, "messages").map(uncached),
    results: listIn(body, "messages")
      .flatMap((message) => listIn(message, "content"))
      .filter((part) => textIn(part, "type") === "tool_result")
      .map(resultOf),
  }),
  own: (body, { model, effort, temperature }) => ({
    ...body,
    ...(effort === undefined ? {} : { output_config: { ...objectIn(body, "output_config"), effort } }),
    ...(temperature === undefined ? {} : { temperature }),
    model,
  }),
  plain: (body) =>
    withTools(
      // The last ones would cost more than the model's price.
      without(body, "mcp_servers", "container", "speed", "inference_geo"),
      listIn(body, "tools").filter((tool) => RUN_BY_AGENT.test(textIn(tool, "type"))),
    ),
  answer: () => new AnthropicAnswer(),
  ending(text, { model, streams }) {
    const usage = { input_tokens: 0, output_tokens: 0 };
    const common = { id: "msg_host", type: "message", role: "assistant", model, stop_sequence: null, usage };
    if (!streams) {
      const body = { ...common, content: [{ type: "text", text }], stop_reason: "end_turn" };
      return { contentType: JSON_TYPE, body: JSON.stringify(body) };
    }
    const events = [
      { type: "message_start", message: { ...common, content: [], stop_reason: null } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage },
      { type: "message_stop" },
    ];
    return { contentType: EVENTS, body: streamOf(events, { named: true }) };
  },
  error: ({ status, code, message }) => ({
    type: "error",
    error: { type: errorType(status), message: `${code}: ${message}` },
  }),
};

function errorType(status: number): string {
  if (status >= 500) return status === 529 ? "overloaded_error" : "api_error";
  const types: Readonly<Record<number, string>> = {
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
  };
  return types[status] ?? "invalid_request_error";
}

/** Returns the message without its marks for the cache, which move on with each request. */
function uncached(message: unknown): unknown {
  const content = field(message, "content");
  if (!Array.isArray(content)) return message;
  return { ...objectIn(message), content: content.map((part) => without(objectIn(part), "cache_control")) };
}

function resultOf(part: unknown): ToolResult {
  const target = objectIn(part);
  return {
    id: textIn(part, "tool_use_id"),
    name: null,
    text: contentText(field(part, "content")),
    failed: field(part, "is_error") === true,
    append: (text) => appendContent(target, "content", { type: "text", text }),
  };
}

/** A block of the answer that is not finished. */
interface Block {
  readonly call: { readonly id: string; readonly name: string; readonly input: unknown } | null;
  json: string;
}

class AnthropicAnswer implements AnswerParts {
  #text = "";
  readonly #open = new Map<unknown, Block>();
  readonly #calls: WrittenCall[] = [];
  #fault: Fault | null = null;

  see(value: unknown): readonly AnswerPart[] {
    const index = field(value, "index");
    switch (textIn(value, "type")) {
      case "message":
        return listIn(value, "content").flatMap((block) => [
          ...this.#begin(block, block),
          ...this.#end(block),
        ]);
      case "content_block_start":
        return this.#begin(field(value, "content_block"), index);
      case "content_block_delta":
        return this.#grow(field(value, "delta"), index);
      case "content_block_stop":
        return this.#end(index);
      case "message_delta":
      case "message_stop":
        return [{ type: "act" }];
      case "error":
        this.#fault ??= faultIn(field(value, "error"));
        return [];
      default:
        return [];
    }
  }

  text(): string {
    return this.#text;
  }

  calls(): readonly WrittenCall[] {
    return this.#calls;
  }

  fault(): Fault | null {
    return this.#fault;
  }

  #begin(block: unknown, index: unknown): readonly AnswerPart[] {
    const isCall = textIn(block, "type") === "tool_use";
    const call = { id: textIn(block, "id"), name: textIn(block, "name"), input: field(block, "input") };
    this.#open.set(index, { call: isCall ? call : null, json: "" });
    return textIn(block, "type") === "text" ? this.#more(textIn(block, "text")) : [{ type: "sign" }];
  }

  #grow(delta: unknown, index: unknown): readonly AnswerPart[] {
    if (textIn(delta, "type") === "text_delta") return this.#more(textIn(delta, "text"));
    const block = this.#open.get(index);
    if (block !== undefined) block.json += textIn(delta, "partial_json");
    return [{ type: "sign" }];
  }

  #end(index: unknown): readonly AnswerPart[] {
    const block = this.#open.get(index);
    this.#open.delete(index);
    if (!block?.call) return [];
    const { id, name, input } = block.call;
    this.#calls.push({ id, name, args: block.json === "" ? (input ?? {}) : argsOf(block.json) });
    return [{ type: "act" }];
  }

  #more(text: string): readonly AnswerPart[] {
    this.#text += text;
    return text === "" ? [] : [{ type: "text", text }];
  }
}
