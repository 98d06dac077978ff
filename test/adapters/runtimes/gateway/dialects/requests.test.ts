import { describe, expect, it } from "vitest";
import { anthropic } from "../../../../../src/adapters/runtimes/gateway/dialects/anthropic.ts";
import { chat } from "../../../../../src/adapters/runtimes/gateway/dialects/chat.ts";
import type { Dialect, OwnWords } from "../../../../../src/adapters/runtimes/gateway/dialects/dialect.ts";
import { gemini } from "../../../../../src/adapters/runtimes/gateway/dialects/gemini.ts";
import { responses } from "../../../../../src/adapters/runtimes/gateway/dialects/responses.ts";
import { read } from "./reading.ts";

const bodies = () =>
  [
    [
      chat,
      {
        model: "theirs",
        stream: true,
        tools: [{ type: "function", function: { name: "note", parameters: {} } }],
        messages: [
          { role: "system", content: "s" },
          { role: "user", content: "Go." },
          { role: "assistant", content: null, tool_calls: [{ id: "1" }, { id: "2" }] },
          { role: "tool", tool_call_id: "1", content: "noted" },
          { role: "tool", tool_call_id: "2", content: [{ type: "text", text: "listed" }] },
        ],
      },
    ],
    [
      responses,
      {
        model: "theirs",
        stream: true,
        instructions: "s",
        tools: [
          { type: "function", name: "note" },
          { type: "namespace", name: "mcp__host", tools: [{ name: "inner" }] },
        ],
        input: [
          { type: "message", role: "user", content: [{ type: "input_text", text: "Go." }] },
          { type: "function_call", call_id: "1", name: "note", arguments: "{}" },
          { type: "function_call_output", call_id: "1", output: "noted" },
          { type: "custom_tool_call_output", call_id: "2", output: [{ type: "input_text", text: "listed" }] },
        ],
      },
    ],
    [
      anthropic,
      {
        model: "theirs",
        max_tokens: 9,
        stream: true,
        tools: [{ name: "note", input_schema: {} }],
        messages: [
          { role: "user", content: "Go." },
          { role: "assistant", content: [{ type: "tool_use", id: "1" }] },
          {
            role: "user",
            content: [
              { type: "tool_result", tool_use_id: "1", content: "noted" },
              {
                type: "tool_result",
                tool_use_id: "2",
                content: [{ type: "text", text: "listed" }],
                is_error: true,
                cache_control: { type: "ephemeral" },
              },
            ],
          },
        ],
      },
    ],
    [
      gemini,
      {
        tools: [{ functionDeclarations: [{ name: "note" }] }],
        generationConfig: { topP: 1, thinkingConfig: { includeThoughts: true, thinkingBudget: 5 } },
        contents: [
          { role: "user", parts: [{ text: "Go." }] },
          { role: "model", parts: [{ functionCall: { name: "note" } }] },
          {
            role: "user",
            parts: [
              { functionResponse: { id: "1", name: "note", response: { output: "noted" } } },
              { functionResponse: { name: "note", response: { error: "listed" } } },
            ],
          },
        ],
      },
    ],
  ] as const;

const outgoing = (dialect: Dialect, body: object, words: OwnWords) => dialect.own(dialect.plain(body), words);
const own = (more: object = {}) => ({ model: "own", effort: undefined, temperature: undefined, ...more });

describe.each(bodies())("a request of $api", (dialect, body) => {
  const fresh = (): object => structuredClone(body);

  it("is read", () => {
    const { offered, messages, results, streams } = dialect.read(fresh());
    expect(offered).toEqual(dialect === responses ? ["note", "mcp__host/inner"] : ["note"]);
    expect(messages.length).toBeGreaterThanOrEqual(3);
    expect(results.map(({ text }) => text)).toEqual(
      dialect === gemini ? ["noted", "listed"] : ["noted", "listed"],
    );
    expect(results.map(({ id }) => id)).toEqual(dialect === gemini ? ["1", null] : ["1", "2"]);
    expect(results.map(({ failed }) => failed)).toEqual([false, dialect === anthropic || dialect === gemini]);
    expect(streams).toBe(dialect !== gemini);
  });

  it("takes what is appended to a result, and nothing else changes", () => {
    const changed = fresh();
    for (const result of dialect.read(changed).results) result.append(" MIND");
    const texts = dialect.read(changed).results.map(({ text }) => text.replaceAll("\n", ""));
    expect(texts).toEqual(["noted MIND", "listed MIND"]);
    const without = JSON.stringify(changed)
      .replace(/,\{"type":"(?:input_)?text","text":" MIND"\}/, "")
      .replaceAll(" MIND", "");
    expect(without).toBe(JSON.stringify(body));
  });

  it("goes out with the session's own model, effort and temperature, and all else as it was", () => {
    const sent = outgoing(dialect, fresh(), own({ effort: "high", temperature: 0.5 }));
    const text = JSON.stringify(sent);
    expect(text).not.toContain("theirs");
    expect(text).toContain('"temperature":0.5');
    expect(text).toMatch(
      /"(?:reasoning_effort":"high"|reasoning":\{"effort":"high"\}|output_config":\{"effort":"high"\}|thinkingConfig":\{"includeThoughts":true,"thinkingLevel":"high"\})/,
    );
    const plain = outgoing(dialect, fresh(), own());
    const expected = {
      ...body,
      ...(dialect === gemini ? {} : { model: "own" }),
      ...(dialect === chat ? { stream_options: { include_usage: true } } : {}),
    };
    expect(plain).toEqual(expected);
  });

  it("that is nonsense offers nothing and has no results", () => {
    const nonsense = [
      {},
      { tools: 1, messages: {}, input: "text", contents: [null] },
      { messages: [1, "x", null] },
    ];
    for (const one of nonsense) expect(dialect.read(one)).toMatchObject({ offered: [], results: [] });
  });
});

describe("tools that a provider would run, with its network, do not go out", () => {
  const note = { type: "function", name: "note", function: { name: "note" } };
  const cases: readonly (readonly [Dialect, object, object])[] = [
    [chat, { tools: [note, { type: "web_search" }], web_search_options: {} }, { tools: [note] }],
    [chat, { data_sources: [{ type: "azure_search" }], search_parameters: {}, enable_search: true }, {}],
    [chat, { plugins: [{ id: "web" }], messages: [] }, { messages: [] }],
    [
      responses,
      { tools: [{ type: "mcp", server_url: "https://x.example" }, note, { type: "code_interpreter" }] },
      { tools: [note] },
    ],
    [responses, { tools: [{ type: "web_search" }], tool_choice: "auto" }, {}],
    [
      responses,
      {
        prompt: { id: "pmpt_1" },
        tools: [
          { type: "shell", environment: { type: "container_auto" } },
          { type: "shell" },
          { type: "shell", environment: { type: "local" } },
        ],
      },
      { tools: [{ type: "shell", environment: { type: "local" } }] },
    ],
    [anthropic, { speed: "fast", inference_geo: "us", container: { skills: [] } }, {}],
    [
      anthropic,
      {
        tools: [
          { type: "web_fetch_20250910", name: "web_fetch" },
          { name: "note" },
          { type: "bash_20250124" },
        ],
        mcp_servers: [{ url: "https://x.example" }],
      },
      { tools: [{ name: "note" }, { type: "bash_20250124" }] },
    ],
    [
      gemini,
      { tools: [{ urlContext: {}, functionDeclarations: [{ name: "note" }] }, { googleSearch: {} }] },
      { tools: [{ functionDeclarations: [{ name: "note" }] }] },
    ],
    [gemini, { tools: [{ googleSearch: {} }], toolConfig: {} }, {}],
  ];
  it.each(cases)("of $api, %#", (dialect, asked, sent) => {
    const { model: _model, ...rest } = Object.assign({ model: "" }, outgoing(dialect, asked, own()));
    expect(rest).toEqual(sent);
  });
});

describe("the effort of Gemini", () => {
  it.each([
    ["gemini-2.5-pro", { thinkingBudget: 1024 }],
    ["gemini-3-pro", { thinkingLevel: "low" }],
  ])("is written as %s takes it", (model, thinkingConfig) => {
    const asked = { generationConfig: { thinkingConfig: { thinkingLevel: "HIGH", thinkingBudget: -1 } } };
    expect(outgoing(gemini, asked, own({ model, effort: "low" }))).toEqual({
      generationConfig: { thinkingConfig },
    });
  });
});

const provider = (type: "openai" | "azure" | "anthropic" | "gemini", baseUrl: string) => ({
  model: "own model",
  provider: { type, baseUrl, apiKey: "k", wireApi: "completions", maxPromptTokens: undefined } as const,
});

describe("the path of a call", () => {
  it.each([
    [chat, "/chat/completions", "openai", "https://a.example/v1/", "https://a.example/v1/chat/completions"],
    [
      chat,
      "/v1/chat/completions",
      "azure",
      "https://a.example",
      "https://a.example/openai/v1/chat/completions",
    ],
    [
      chat,
      "/chat/completions",
      "azure",
      "https://a.example/openai/v1",
      "https://a.example/openai/v1/chat/completions",
    ],
    [responses, "/v1/responses", "openai", "https://a.example/v1", "https://a.example/v1/responses"],
    [anthropic, "/v1/messages", "anthropic", "https://a.example", "https://a.example/v1/messages"],
    [
      anthropic,
      "/v1/messages?beta=true",
      "anthropic",
      "https://a.example/v1",
      "https://a.example/v1/messages?beta=true",
    ],
    [
      gemini,
      "/v1beta/models/theirs:generateContent",
      "gemini",
      "https://a.example/",
      "https://a.example/v1beta/models/own%20model:generateContent",
    ],
    [
      gemini,
      "/v1beta/models/theirs:streamGenerateContent?alt=sse",
      "gemini",
      "https://a.example/v1",
      "https://a.example/v1/models/own%20model:streamGenerateContent?alt=sse",
    ],
  ] as const)("of $api is read, %#", (dialect, path, type, base, url) => {
    const call = dialect.call(path);
    expect(call && dialect.url(provider(type, base), call)).toBe(url);
  });

  it.each([
    [chat, "/v1/chat/completions?x=1"],
    [chat, "/v1/chat/completions/"],
    [chat, "/v1/../chat/completions"],
    [chat, "/v1/chat%2fcompletions"],
    [chat, "/v1/models"],
    [responses, "/v1/responses/resp_1"],
    [responses, "/v1/responses/compact"],
    [anthropic, "/v1/messages/count_tokens"],
    [anthropic, "/v1/messages/batches"],
    [anthropic, "/v1/messages?beta=true&x=1"],
    [gemini, "/v1beta/models/a/b:generateContent"],
    [gemini, "/v1beta/models/a:streamGenerateContent"],
    [gemini, "/v1beta/models/a:generateContent?alt=sse"],
    [gemini, "/v1beta/models/a:batchGenerateContent"],
    [gemini, "/v1beta/tunedModels/a:generateContent"],
    [gemini, "/v1beta/models/a:countTokens"],
  ])("is of no call of $api, %#", (dialect, path) => {
    expect(dialect.call(path)).toBeNull();
  });
});

describe.each([chat, responses, anthropic, gemini])("what the host writes as $api", (dialect) => {
  it.each([true, false])("is an answer that ends the turn, streamed: %s", (streams) => {
    const { contentType, body } = dialect.ending("The end.", { model: "own", streams });
    expect(contentType).toBe(streams ? "text/event-stream" : "application/json");
    expect(read(dialect, body)).toMatchObject({ text: "The end.", calls: [], fault: null });
    expect(body).toMatch(/stop|completed|end_turn|STOP/);
    const counts = [...body.matchAll(/"(?:\w*_tokens|\w+TokenCount)":(\d+)/g)].map(([, count]) => count);
    expect(new Set(counts)).toEqual(new Set(["0"]));
  });

  it.each([400, 401, 402, 403, 404, 429, 500, 503, 529])("is an error: %i", (status) => {
    const error = JSON.stringify(dialect.error({ status, code: "limit_reached", message: "enough" }));
    expect(error).toContain("limit_reached");
    expect(error).toContain("enough");
    expect(error.startsWith(dialect === anthropic ? '{"type":"error","error":{' : '{"error":{')).toBe(true);
  });
});
