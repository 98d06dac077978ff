import { describe, expect, it } from "vitest";
import { anthropic } from "../../../../../src/adapters/runtimes/gateway/dialects/anthropic.ts";
import { chat } from "../../../../../src/adapters/runtimes/gateway/dialects/chat.ts";
import { gemini } from "../../../../../src/adapters/runtimes/gateway/dialects/gemini.ts";
import { responses } from "../../../../../src/adapters/runtimes/gateway/dialects/responses.ts";
import { events, read } from "./reading.ts";

const piece = (delta: object, finish_reason: string | null = null) => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta, finish_reason }],
});
const callPiece = (index: number, more: object, args: string) =>
  piece({
    tool_calls: [
      { index, ...more, function: { ...("id" in more ? { name: "note" } : {}), arguments: args } },
    ],
  });
const CHAT = [
  piece({ role: "assistant", content: "" }),
  piece({ reasoning_content: "Hm." }),
  piece({ content: "I note " }),
  piece({ content: "é漢." }),
  callPiece(0, { id: "call_1", type: "function" }, ""),
  callPiece(0, {}, '{"te'),
  callPiece(0, {}, 'xt":"}"}'),
  callPiece(1, { id: "call_2", type: "function" }, "{}"),
  piece({}, "tool_calls"),
  { ...piece({}), choices: [], usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 } },
];
const CHAT_JSON = {
  id: "chatcmpl-1",
  object: "chat.completion",
  choices: [
    {
      index: 0,
      finish_reason: "tool_calls",
      message: {
        role: "assistant",
        content: "I note é漢.",
        tool_calls: [
          { id: "call_1", type: "function", function: { name: "note", arguments: '{"text":"}"}' } },
          { id: "call_2", type: "function", function: { name: "note", arguments: "" } },
        ],
      },
    },
  ],
};

const functionCall = (id: string, args: string, more: object = {}) => ({
  id: `fc_${id}`,
  type: "function_call",
  status: "completed",
  call_id: id,
  name: "note",
  arguments: args,
  ...more,
});
const said = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "I note é漢.", annotations: [] }],
};
const output = [
  { id: "rs_1", type: "reasoning", summary: [] },
  said,
  functionCall("call_1", '{"text":"}"}', { namespace: "mcp__host" }),
  functionCall("call_2", "{}"),
];
const response = { id: "resp_1", object: "response", status: "completed", output };
const RESPONSES = [
  { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
  { type: "response.reasoning_summary_text.delta", item_id: "rs_1", delta: "Hm." },
  { type: "response.output_item.added", output_index: 1, item: { ...said, content: [] } },
  { type: "response.output_text.delta", item_id: "msg_1", output_index: 1, delta: "I note " },
  { type: "response.output_text.delta", item_id: "msg_1", output_index: 1, delta: "é漢." },
  { type: "response.output_text.done", item_id: "msg_1", text: "I note é漢." },
  { type: "response.output_item.done", output_index: 1, item: said },
  { type: "response.output_item.added", output_index: 2, item: functionCall("call_1", "") },
  { type: "response.function_call_arguments.delta", item_id: "fc_call_1", delta: '{"text":"}"}' },
  { type: "response.function_call_arguments.done", item_id: "fc_call_1", arguments: '{"text":"}"}' },
  { type: "response.output_item.done", output_index: 2, item: output[2] },
  { type: "response.output_item.done", output_index: 3, item: output[3] },
  { type: "response.completed", response },
];

const ANTHROPIC = [
  {
    type: "message_start",
    message: { id: "msg_1", content: [], usage: { input_tokens: 9, output_tokens: 1 } },
  },
  { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm." } },
  { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "x" } },
  { type: "content_block_stop", index: 0 },
  { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
  { type: "ping" },
  { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "I note " } },
  { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "é漢." } },
  { type: "content_block_stop", index: 1 },
  {
    type: "content_block_start",
    index: 2,
    content_block: { type: "tool_use", id: "call_1", name: "note", input: {} },
  },
  { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: "" } },
  { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: '{"te' } },
  { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: 'xt":"}"}' } },
  { type: "content_block_stop", index: 2 },
  {
    type: "content_block_start",
    index: 3,
    content_block: { type: "tool_use", id: "call_2", name: "note", input: {} },
  },
  { type: "content_block_stop", index: 3 },
  { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 30 } },
  { type: "message_stop" },
];
const ANTHROPIC_JSON = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  content: [
    { type: "text", text: "I note é漢." },
    { type: "tool_use", id: "call_1", name: "note", input: { text: "}" } },
    { type: "tool_use", id: "call_2", name: "note", input: {} },
  ],
  stop_reason: "tool_use",
};

const candidate = (parts: readonly object[], finishReason?: string) => ({
  candidates: [{ index: 0, content: { role: "model", parts }, ...(finishReason ? { finishReason } : {}) }],
  usageMetadata: { promptTokenCount: 9 },
});
const PARTS = [
  { text: "Hm.", thought: true },
  { text: "I note " },
  { text: "é漢." },
  { functionCall: { id: "call_1", name: "note", args: { text: "}" } }, thoughtSignature: "x" },
  { functionCall: { id: "call_2", name: "note" } },
];
const GEMINI = [...PARTS.map((part) => candidate([part])), candidate([{ text: "" }], "STOP")];

const ALL = [
  [chat, CHAT, CHAT_JSON],
  [responses, RESPONSES, response],
  [anthropic, ANTHROPIC, ANTHROPIC_JSON],
  [gemini, GEMINI, candidate(PARTS, "STOP")],
] as const;
const spaced = { completions: "note", responses: "mcp__host/note", anthropic: "note", gemini: "note" };

describe.each(ALL)("an answer of $api", (dialect, streamed, whole) => {
  const wanted = {
    text: "I note é漢.",
    calls: [
      { id: "call_1", name: spaced[dialect.api], args: { text: "}" } },
      { id: "call_2", name: "note", args: {} },
    ],
    fault: null,
  };

  it.each([1, 2, 3, 7, 64, 100_000])("is read from a stream in chunks of %i bytes", (size) => {
    const text = `${events(streamed)}data: [DONE]\n\n`;
    const { parts, texts, ...found } = read(dialect, text, size);
    expect(found).toEqual(wanted);
    expect(texts).toEqual(["I note ", "é漢."]);
    // Nobody can act on it before its text is there, and somebody can at its end.
    expect(parts.findIndex(({ type }) => type === "act")).toBeGreaterThan(
      parts.findLastIndex(({ type }) => type === "text"),
    );
    expect(parts.findIndex(({ type }) => type === "text")).toBeGreaterThan(
      parts.findIndex(({ type }) => type === "sign"),
    );
  });

  it("is read where lines end in CRLF or CR, with comments and empty lines between", () => {
    for (const newline of ["\r\n", "\r"]) {
      const text = `: hello${newline}${newline}${newline}${events(streamed, newline)}${newline}`;
      for (const size of [1, 1000]) expect(read(dialect, text, size)).toMatchObject(wanted);
    }
  });

  it("is read from one JSON text", () => {
    for (const text of [JSON.stringify(whole), JSON.stringify(whole, null, 2)])
      for (const size of [1, 1000]) expect(read(dialect, text, size)).toMatchObject(wanted);
  });

  it("that is cut off has no call that was not finished", () => {
    const half = events(streamed).slice(0, -1);
    for (let end = 0; end < half.length; end += 23) {
      const { text, calls } = read(dialect, half.slice(0, end));
      expect(wanted.text.startsWith(text)).toBe(true);
      expect(calls).toEqual(wanted.calls.slice(0, calls.length));
    }
  });

  it("of nonsense says nothing", () => {
    const nonsense = [
      {},
      { choices: 1 },
      { choices: [null] },
      { type: 5 },
      { candidates: [{ content: [] }] },
    ];
    expect(read(dialect, events(nonsense))).toMatchObject({ text: "", calls: [], fault: null });
    expect(read(dialect, "data: x\n\ndata: [1]\n\ndata: null\n\n<html>")).toMatchObject({
      text: "",
      calls: [],
    });
  });
});

it("a call whose arguments are no JSON has them as text", () => {
  const [call] = read(chat, events([callPiece(0, { id: "a" }, '{"text":'), piece({}, "length")])).calls;
  expect(call).toEqual({ id: "a", name: "note", args: '{"text":' });
});

it("calls of a provider that numbers none of them, and gives no ids, are told apart by their place", () => {
  const tool_calls = ["a", "b"].map((name) => ({ function: { name, arguments: "{}" } }));
  expect(read(chat, events([piece({ tool_calls })])).calls).toEqual([
    { id: null, name: "a", args: {} },
    { id: null, name: "b", args: {} },
  ]);
  const bare = candidate([{ functionCall: { name: "note", args: {} } }]);
  expect(read(gemini, events([bare])).calls).toEqual([{ id: null, name: "note", args: {} }]);
});

it("a call of chat completions is told when its arguments are whole, not only at the end", () => {
  const before = CHAT.slice(0, 7);
  expect(read(chat, events(before)).parts.at(-1)).toEqual({ type: "act" });
  expect(read(chat, events(CHAT.slice(0, 6))).parts.at(-1)).toEqual({ type: "sign" });
});

it("a tool of OpenAI that is no function has its name or its kind, and what it was given", () => {
  const custom = { type: "custom_tool_call", call_id: "1", name: "apply_patch", input: "*** Begin" };
  const shell = { type: "local_shell_call", call_id: "2", action: { command: ["ls"] } };
  const search = { type: "web_search_call", id: "ws_1", status: "completed" };
  const done = [custom, shell, search].map((item) => ({ type: "response.output_item.done", item }));
  expect(read(responses, events(done)).calls).toEqual([
    { id: "1", name: "apply_patch", args: "*** Begin" },
    { id: "2", name: "local_shell", args: { command: ["ls"] } },
  ]);
});

it.each([
  [chat, { error: { message: "no more", type: "server_error", code: null } }, "server_error"],
  [responses, { type: "error", code: "server_error", message: "no more", param: null }, "server_error"],
  [
    responses,
    { type: "response.failed", response: { error: { code: "rate_limit_exceeded", message: "no more" } } },
    "rate_limit_exceeded",
  ],
  [anthropic, { type: "error", error: { type: "overloaded_error", message: "no more" } }, "overloaded_error"],
  [gemini, { error: { code: 503, message: "no more", status: "UNAVAILABLE" } }, "UNAVAILABLE"],
] as const)("an error in the middle of an answer of $api is seen, %#", (dialect, event, code) => {
  expect(read(dialect, events([event])).fault).toEqual({ code, message: "no more" });
});
