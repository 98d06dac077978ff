import type { Effort } from "../../../../domain/ports/agent-runtime.ts";
import type { AnswerPart, AnswerParts, Dialect, Fault, ToolResult, WrittenCall } from "./dialect.ts";
import {
  EVENTS,
  faultIn,
  field,
  JSON_TYPE,
  listIn,
  objectIn,
  streamOf,
  textIn,
  withTools,
} from "./fields.ts";

/** Tokens of thought for models that count them; later models take the word. */
const BUDGETS: Readonly<Record<Effort, number>> = { low: 1024, medium: 8192, high: 24_576 };

/** Gemini's generateContent. The path names the model, and says whether the answer streams. */
export const gemini: Dialect = {
  api: "gemini",
  call(path) {
    const found =
      /^(?:\/v1(?:beta|alpha)?)?\/models\/[^/:?]+:(generateContent|streamGenerateContent)(\?alt=sse)?$/.exec(
        path,
      );
    if (found === null) return null;
    const streams = found[1] === "streamGenerateContent";
    // A stream that is not made of events is one JSON text, which nobody here reads.
    return streams === (found[2] !== undefined) ? { streams, query: found[2] ?? "" } : null;
  },
  url({ provider, model }, { streams, query }) {
    const base = provider.baseUrl.replace(/\/+$/, "");
    const version = /\/v1(?:beta|alpha)?$/.test(base) ? "" : "/v1beta";
    const method = streams === true ? "streamGenerateContent" : "generateContent";
    return `${base}${version}/models/${encodeURIComponent(model)}:${method}${query}`;
  },
  read: (body) => ({
    streams: false,
    offered: listIn(body, "tools")
      .flatMap((tool) => listIn(tool, "functionDeclarations"))
      .map((tool) => textIn(tool, "name")),
    messages: listIn(body, "contents"),
    results: listIn(body, "contents")
      .flatMap((content) => listIn(content, "parts"))
      .map((part) => field(part, "functionResponse"))
      .filter((response) => response !== undefined)
      .map(resultOf),
  }),
  own(body, { model, effort, temperature }) {
    const config = objectIn(body, "generationConfig");
    const generationConfig = {
      ...config,
      ...(effort === undefined ? {} : { thinkingConfig: thinking(config, model, effort) }),
      ...(temperature === undefined ? {} : { temperature }),
    };
    return effort === undefined && temperature === undefined ? body : { ...body, generationConfig };
  },
  plain: (body) =>
    withTools(
      body,
      listIn(body, "tools")
        .map((tool) => ({ functionDeclarations: listIn(tool, "functionDeclarations") }))
        .filter(({ functionDeclarations }) => functionDeclarations.length > 0),
    ),
  answer: () => new GeminiAnswer(),
  ending(text, { model, streams }) {
    const usageMetadata = { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 };
    const candidate = { index: 0, finishReason: "STOP", content: { role: "model", parts: [{ text }] } };
    const answer = { candidates: [candidate], usageMetadata, modelVersion: model };
    return streams
      ? { contentType: EVENTS, body: streamOf([answer], { named: false }) }
      : { contentType: JSON_TYPE, body: JSON.stringify(answer) };
  },
  error: ({ status, code, message }) => ({
    error: { code: status, message: `${code}: ${message}`, status: statusName(status) },
  }),
};

function thinking(config: object, model: string, effort: Effort): object {
  const {
    thinkingBudget: _budget,
    thinkingLevel: _level,
    ...others
  } = Object.assign({ thinkingBudget: null, thinkingLevel: null }, field(config, "thinkingConfig"));
  return /gemini-[12]\b/.test(model)
    ? { ...others, thinkingBudget: BUDGETS[effort] }
    : { ...others, thinkingLevel: effort };
}

function statusName(status: number): string {
  const names: Readonly<Record<number, string>> = {
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
  };
  return names[status] ?? (status > 500 ? "UNAVAILABLE" : "INVALID_ARGUMENT");
}

function resultOf(response: unknown): ToolResult {
  const target = objectIn(response, "response");
  const failed = Object.hasOwn(target, "error");
  const place = failed ? "error" : "output";
  const said = field(target, place);
  return {
    id: textIn(response, "id") || null,
    name: textIn(response, "name"),
    text: typeof said === "string" ? said : JSON.stringify(target),
    failed,
    append(text) {
      const before = field(target, place);
      const written =
        before === undefined || typeof before === "string" ? (before ?? "") : JSON.stringify(before);
      Reflect.set(target, place, `${written}${text}`);
    },
  };
}

class GeminiAnswer implements AnswerParts {
  #text = "";
  readonly #calls: WrittenCall[] = [];
  #fault: Fault | null = null;

  see(value: unknown): readonly AnswerPart[] {
    this.#fault ??= faultIn(field(value, "error"));
    const [candidate] = listIn(value, "candidates");
    const parts = listIn(candidate, "content", "parts").flatMap((part) => this.#part(part));
    return textIn(candidate, "finishReason") === "" ? parts : [...parts, { type: "act" }];
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

  #part(part: unknown): readonly AnswerPart[] {
    const call = field(part, "functionCall");
    if (call !== undefined) {
      const args = field(call, "args") ?? {};
      this.#calls.push({ id: textIn(call, "id") || null, name: textIn(call, "name"), args });
      return [{ type: "act" }];
    }
    const text = textIn(part, "text");
    if (field(part, "thought") === true || text === "") return [{ type: "sign" }];
    this.#text += text;
    return [{ type: "text", text }];
  }
}
