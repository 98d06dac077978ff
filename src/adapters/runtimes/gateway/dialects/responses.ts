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
import { openAiBase, openAiError } from "./openai.ts";

/** Tools that the agent runs; all others would be run by the provider, which has a network. */
const RUN_BY_AGENT = /^(?:function|custom|namespace|local_shell|apply_patch)$/;

/** OpenAI's responses. */
export const responses: Dialect = {
  api: "responses",
  call: (path) => (/^(?:\/v1)?\/responses$/.test(path) ? { streams: undefined, query: "" } : null),
  url: (at) => `${openAiBase(at)}/responses`,
  read: (body) => ({
    streams: field(body, "stream") === true,
    offered: listIn(body, "tools").flatMap(namesOf),
    messages: listIn(body, "input"),
    results: listIn(body, "input")
      .filter((item) => textIn(item, "type").endsWith("_output"))
      .map(resultOf),
  }),
  own: (body, { model, effort, temperature }) => ({
    ...body,
    ...(effort === undefined ? {} : { reasoning: { ...objectIn(body, "reasoning"), effort } }),
    ...(temperature === undefined ? {} : { temperature }),
    model,
  }),
  plain: (body) =>
    withTools(
      // A prompt that the account has stored brings tools and addresses along.
      without(body, "prompt"),
      listIn(body, "tools").filter(isRunByAgent),
    ),
  answer: () => new ResponsesAnswer(),
  ending(text, { model, streams }) {
    const usage = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };
    const part = { type: "output_text", text, annotations: [] };
    const message = {
      id: "msg_host",
      type: "message",
      role: "assistant",
      status: "completed",
      content: [part],
    };
    const common = { id: "resp_host", object: "response", created_at: 0, model };
    const whole = { ...common, status: "completed", output: [message], usage };
    if (!streams) return { contentType: JSON_TYPE, body: JSON.stringify(whole) };
    const begun = { ...message, status: "in_progress", content: [] };
    const place = { item_id: message.id, output_index: 0, content_index: 0 };
    const events = [
      { type: "response.created", response: { ...common, status: "in_progress", output: [] } },
      { type: "response.output_item.added", output_index: 0, item: begun },
      { type: "response.content_part.added", ...place, part: { ...part, text: "" } },
      { type: "response.output_text.delta", ...place, delta: text },
      { type: "response.output_text.done", ...place, text },
      { type: "response.content_part.done", ...place, part },
      { type: "response.output_item.done", output_index: 0, item: message },
      { type: "response.completed", response: whole },
    ].map((event, place_) => ({ ...event, sequence_number: place_ }));
    return { contentType: EVENTS, body: streamOf(events, { named: true }) };
  },
  error: openAiError,
};

/** A shell without a place is the provider's. */
function isRunByAgent(tool: unknown): boolean {
  const type = textIn(tool, "type");
  return RUN_BY_AGENT.test(type) || (type === "shell" && textIn(tool, "environment", "type") === "local");
}

function namesOf(tool: unknown): readonly string[] {
  const name = textIn(tool, "name");
  if (textIn(tool, "type") !== "namespace") return name === "" ? [] : [name];
  return listIn(tool, "tools").map((inner) => `${name}/${textIn(inner, "name")}`);
}

function resultOf(item: unknown): ToolResult {
  const target = objectIn(item);
  return {
    id: textIn(item, "call_id"),
    name: null,
    text: contentText(field(item, "output")),
    failed: textIn(item, "status") === "failed",
    append: (text) => appendContent(target, "output", { type: "input_text", text }),
  };
}

class ResponsesAnswer implements AnswerParts {
  #text = "";
  /** The items of `#text` that came in pieces. */
  readonly #inPieces = new Set<string>();
  readonly #calls: WrittenCall[] = [];
  #fault: Fault | null = null;

  see(value: unknown): readonly AnswerPart[] {
    const type = textIn(value, "type");
    switch (type) {
      case "":
        this.#fault ??= faultIn(field(value, "error"));
        return listIn(value, "output").flatMap((item) => this.#item(item));
      case "response.output_text.delta":
        this.#inPieces.add(textIn(value, "item_id"));
        return this.#more(textIn(value, "delta"));
      case "response.output_item.done":
        return this.#item(field(value, "item"));
      case "error":
        this.#fault ??= faultIn({ ...objectIn(value), type: undefined });
        return [];
      case "response.failed":
        this.#fault ??= faultIn(field(value, "response", "error"));
        return [{ type: "act" }];
      case "response.completed":
      case "response.incomplete":
        return [{ type: "act" }];
      default:
        return type.endsWith(".delta") ? [{ type: "sign" }] : [];
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

  #item(item: unknown): readonly AnswerPart[] {
    const type = textIn(item, "type");
    if (type === "message")
      return this.#inPieces.has(textIn(item, "id")) ? [] : this.#more(contentText(field(item, "content")));
    if (!type.endsWith("_call") || textIn(item, "call_id") === "") return [];
    const space = textIn(item, "namespace");
    const name = textIn(item, "name") || type.slice(0, -"_call".length);
    const written = textIn(item, "arguments") || textIn(item, "input");
    const args = written === "" ? (field(item, "action") ?? {}) : argsOf(written);
    const call = { id: textIn(item, "call_id"), name: space === "" ? name : `${space}/${name}`, args };
    this.#calls.push(call);
    return [{ type: "act" }];
  }

  #more(text: string): readonly AnswerPart[] {
    this.#text += text;
    return text === "" ? [] : [{ type: "text", text }];
  }
}
