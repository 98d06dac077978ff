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
import { JsonText } from "./json-text.ts";
import { openAiBase, openAiError } from "./openai.ts";

/** Fields by which providers of this API search the web, or fetch from an address, by themselves. */
const OWN_NETWORK = [
  "web_search_options",
  "search_parameters",
  "search_settings",
  "search_options",
  "enable_search",
  "compound_custom",
  "data_sources",
  "plugins",
];

/** OpenAI's chat completions, which many providers offer. */
export const chat: Dialect = {
  api: "completions",
  call: (path) => (/^(?:\/v1)?\/chat\/completions$/.test(path) ? { streams: undefined, query: "" } : null),
  url: (at) => `${openAiBase(at)}/chat/completions`,
  read: (body) => ({
    streams: field(body, "stream") === true,
    offered: listIn(body, "tools")
      .map((tool) => textIn(tool, "function", "name") || textIn(tool, "custom", "name"))
      .filter((name) => name !== ""),
    messages: listIn(body, "messages"),
    results: listIn(body, "messages")
      .filter((message) => textIn(message, "role") === "tool")
      .map(resultOf),
  }),
  own: (body, { model, effort, temperature }) => ({
    ...body,
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    ...(temperature === undefined ? {} : { temperature }),
    model,
  }),
  plain(body) {
    const tools = listIn(body, "tools").filter((tool) => /^(?:function|custom)$/.test(textIn(tool, "type")));
    const usage = { ...objectIn(body, "stream_options"), include_usage: true };
    return {
      ...withTools(without(body, ...OWN_NETWORK), tools),
      ...(field(body, "stream") === true ? { stream_options: usage } : {}),
    };
  },
  answer: () => new ChatAnswer(),
  ending(text, { model, streams }) {
    const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    const common = { id: "chatcmpl-host", created: 0, model };
    const choice = { index: 0, finish_reason: "stop" };
    if (!streams) {
      const choices = [{ ...choice, message: { role: "assistant", content: text } }];
      const body = JSON.stringify({ ...common, object: "chat.completion", choices, usage });
      return { contentType: JSON_TYPE, body };
    }
    const chunk = { ...common, object: "chat.completion.chunk" };
    const events = [
      {
        ...chunk,
        choices: [{ ...choice, finish_reason: null, delta: { role: "assistant", content: text } }],
      },
      { ...chunk, choices: [{ ...choice, delta: {} }] },
      { ...chunk, choices: [], usage },
    ];
    return { contentType: EVENTS, body: `${streamOf(events, { named: false })}data: [DONE]\n\n` };
  },
  error: openAiError,
};

function resultOf(message: unknown): ToolResult {
  const target = objectIn(message);
  return {
    id: textIn(message, "tool_call_id"),
    name: null,
    text: contentText(field(message, "content")),
    failed: false,
    append: (text) => appendContent(target, "content", { type: "text", text }),
  };
}

/** A call whose arguments arrive in pieces. */
interface GrowingCall {
  id: string;
  name: string;
  readonly args: JsonText;
  told: boolean;
}

class ChatAnswer implements AnswerParts {
  #text = "";
  #fault: Fault | null = null;
  /** By the index in the stream. */
  readonly #calls = new Map<number, GrowingCall>();
  readonly #growing = new Set<GrowingCall>();

  see(value: unknown): readonly AnswerPart[] {
    this.#fault ??= faultIn(field(value, "error"));
    const [choice] = listIn(value, "choices");
    const piece = objectIn(choice, Object.hasOwn(objectIn(choice), "delta") ? "delta" : "message");
    const parts: AnswerPart[] = [];
    const text = contentText(field(piece, "content"));
    if (text !== "") {
      this.#text += text;
      parts.push({ type: "text", text });
    } else if (textIn(piece, "reasoning_content") + textIn(piece, "reasoning") !== "")
      parts.push({ type: "sign" });
    for (const [place, call] of listIn(piece, "tool_calls").entries()) {
      this.#grow(call, place);
      parts.push({ type: "sign" });
    }
    return [...parts, ...this.#complete(textIn(choice, "finish_reason") !== "")];
  }

  text(): string {
    return this.#text;
  }

  calls(): readonly WrittenCall[] {
    return [...this.#calls.values()]
      .filter(({ name, told }) => told && name !== "")
      .map(({ id, name, args }) => ({ id: id || null, name, args: argsOf(args.toString()) }));
  }

  fault(): Fault | null {
    return this.#fault;
  }

  #grow(piece: unknown, place: number): void {
    const given = field(piece, "index");
    const index = typeof given === "number" ? given : place;
    const call = this.#calls.get(index) ?? this.#begin(index);
    call.id ||= textIn(piece, "id");
    call.name ||= textIn(piece, "function", "name") || textIn(piece, "custom", "name");
    call.args.add(textIn(piece, "function", "arguments") + textIn(piece, "custom", "input"));
  }

  #begin(index: number): GrowingCall {
    const call = { id: "", name: "", args: new JsonText(), told: false };
    this.#calls.set(index, call);
    this.#growing.add(call);
    return call;
  }

  /** Some agents run a call as soon as its arguments are whole. */
  #complete(finished: boolean): readonly AnswerPart[] {
    const whole = [...this.#growing].filter(({ args }) => finished || args.isWhole);
    for (const call of whole) {
      call.told = true;
      this.#growing.delete(call);
    }
    return finished || whole.length > 0 ? [{ type: "act" }] : [];
  }
}
