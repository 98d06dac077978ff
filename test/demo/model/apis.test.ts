import { afterEach, describe, expect, test } from "vitest";
import type { z } from "zod";
import type { ModelMessage } from "../../../src/demo/model/choose-step.ts";
import { type ScriptInput, scriptSchema } from "../../../src/demo/model/script.ts";
import { type ScriptedModel, startScriptedModel } from "../../../src/demo/model/scripted-model.ts";
import {
  anthropicBody,
  anthropicError,
  anthropicEvent,
  chatBody,
  chatEvent,
  geminiBody,
  geminiError,
  openAiError,
  responsesBody,
  responsesEvent,
} from "./published-shapes.ts";

let model: ScriptedModel | undefined;
afterEach(async () => {
  await model?.close();
  model = undefined;
});

type Steps = ScriptInput["conversations"][number]["steps"];

/** One conversation in an API's own words: said, a tool called, its answer got. */
interface Spoken {
  readonly path: (stream: boolean) => string;
  readonly header: string;
  readonly body: (stream: boolean, told: "hello" | "hello, called, answered") => object;
  readonly tools: object;
  readonly answer: z.ZodType;
  readonly event: z.ZodType;
  readonly error: z.ZodType;
  /** What the answers say of the call: its name, and its arguments as an object. */
  readonly calls: (answer: unknown) => unknown;
  readonly offers: string;
}

const schema = { type: "object", properties: {} };

const SPOKEN: Readonly<Record<string, Spoken>> = {
  chat: {
    path: () => "/v1/chat/completions",
    header: "authorization",
    answer: chatBody,
    event: chatEvent,
    error: openAiError,
    offers: "flotilla_note",
    tools: { tools: [{ type: "function", function: { name: "flotilla_note", parameters: schema } }] },
    body: (stream, told) => ({
      model: "scripted",
      stream,
      messages: [
        { role: "developer", content: "Be brief." },
        { role: "user", content: "hello" },
        ...(told === "hello"
          ? []
          : [
              {
                role: "assistant",
                content: null,
                tool_calls: [{ id: "c1", type: "function", function: {} }],
              },
              { role: "tool", tool_call_id: "c1", content: "noted" },
            ]),
      ],
    }),
    calls: (answer) =>
      chatBody.parse(answer).choices[0].message.tool_calls?.map(({ function: called }) => ({
        name: called.name,
        args: JSON.parse(called.arguments),
      })),
  },
  responses: {
    path: () => "/v1/responses",
    header: "authorization",
    answer: responsesBody,
    event: responsesEvent,
    error: openAiError,
    offers: "mcp__flotilla/note",
    tools: {
      tools: [{ type: "namespace", name: "mcp__flotilla", tools: [{ type: "function", name: "note" }] }],
    },
    body: (stream, told) => ({
      model: "scripted",
      stream,
      instructions: "Be brief.",
      input: [
        { type: "message", role: "user", content: [{ type: "input_text", text: "hello" }] },
        ...(told === "hello"
          ? []
          : [
              { type: "reasoning", summary: [] },
              { type: "message", role: "assistant", content: [{ type: "output_text", text: "" }] },
              { type: "function_call", call_id: "c1", name: "note", arguments: "{}" },
              { type: "function_call_output", call_id: "c1", output: "noted" },
            ]),
      ],
    }),
    calls: (answer) =>
      responsesBody
        .parse(answer)
        .output.flatMap((item) =>
          item.type === "function_call"
            ? { name: `${item.namespace}/${item.name}`, args: JSON.parse(item.arguments) }
            : [],
        ),
  },
  anthropic: {
    path: () => "/v1/messages?beta=true",
    header: "x-api-key",
    answer: anthropicBody,
    event: anthropicEvent,
    error: anthropicError,
    offers: "mcp__flotilla__note",
    tools: { tools: [{ name: "mcp__flotilla__note", input_schema: schema }] },
    body: (stream, told) => ({
      model: "scripted",
      stream,
      max_tokens: 1000,
      system: [{ type: "text", text: "Be brief." }],
      messages: [
        { role: "user", content: "hello" },
        ...(told === "hello"
          ? []
          : [
              { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "note", input: {} }] },
              {
                role: "user",
                content: [
                  { type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "noted" }] },
                ],
              },
            ]),
      ],
    }),
    calls: (answer) =>
      anthropicBody
        .parse(answer)
        .content.flatMap((block) =>
          block.type === "tool_use" ? { name: block.name, args: block.input } : [],
        ),
  },
  gemini: {
    path: (stream) =>
      stream
        ? "/v1beta/models/scripted:streamGenerateContent?alt=sse"
        : "/v1beta/models/scripted:generateContent",
    header: "x-goog-api-key",
    answer: geminiBody,
    event: geminiBody,
    error: geminiError,
    offers: "mcp_flotilla_note",
    tools: { tools: [{ functionDeclarations: [{ name: "mcp_flotilla_note" }] }] },
    body: (_, told) => ({
      systemInstruction: { role: "user", parts: [{ text: "Be brief." }] },
      contents: [
        { role: "user", parts: [{ text: "hello" }] },
        ...(told === "hello"
          ? []
          : [
              {
                role: "model",
                parts: [{ text: "I wonder.", thought: true }, { functionCall: { name: "note", args: {} } }],
              },
              {
                role: "user",
                parts: [{ functionResponse: { name: "note", response: { output: "noted" } } }],
              },
            ]),
      ],
    }),
    calls: (answer) =>
      geminiBody
        .parse(answer)
        .candidates[0].content.parts.flatMap((part) => ("functionCall" in part ? part.functionCall : [])),
  },
};

async function ask(
  spoken: Spoken,
  options: { steps: Steps; stream?: boolean; told?: "hello" | "hello, called, answered"; toolless?: boolean },
): Promise<Response> {
  const { steps, stream = false, told = "hello", toolless = false } = options;
  model ??= await startScriptedModel({
    script: scriptSchema.parse({ conversations: [{ match: "brief.*hello", steps }] }),
    host: "127.0.0.1",
    port: 0,
  });
  return fetch(`${model.origin}${spoken.path(stream)}`, {
    method: "POST",
    headers: { "content-type": "application/json", [spoken.header]: "the-key" },
    body: JSON.stringify({ ...spoken.body(stream, told), ...(toolless ? {} : spoken.tools) }),
  });
}

/** The data of server-sent events, but the mark of the end. */
function dataOf(stream: string): unknown[] {
  return stream
    .split(/\r?\n/)
    .filter((line) => line.startsWith("data: ") && line !== "data: [DONE]")
    .map((line) => JSON.parse(line.slice("data: ".length)));
}

describe.each(Object.entries(SPOKEN))("the %s API", (api, spoken) => {
  const note = { tool: "note", args: { text: "in {{cwd}}" } };

  test("a request is read: the conversation, the tools, the key", async () => {
    await ask(spoken, { steps: [], told: "hello, called, answered" });
    const expected: ModelMessage[] = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "hello" },
      { role: "assistant", content: "" },
      { role: "tool", content: "noted" },
    ];
    expect(model?.requests[0]).toMatchObject({
      api,
      model: "scripted",
      stream: false,
      messages: expected,
      tools: [spoken.offers],
      authorization: expect.stringContaining("the-key"),
    });
  });

  test("an answer has the published shape, and calls the tool by the name that was offered", async () => {
    const response = await ask(spoken, { steps: [{ say: "I note it.", call: [note, note] }] });
    const answer = await response.json();
    expect(spoken.answer.parse(answer)).toEqual(answer);
    const called = { name: spoken.offers, args: { text: "in {{cwd}}" } };
    expect(spoken.calls(answer)).toEqual([called, called]);
    expect(JSON.stringify(answer)).toContain("I note it.");
  });

  test("an answer without a call has it too", async () => {
    const answer = await (await ask(spoken, { steps: [{ say: "Fine." }] })).json();
    expect(spoken.answer.parse(answer)).toEqual(answer);
    expect(spoken.calls(answer) ?? []).toEqual([]);
  });

  test("a stream has the published events, which tell the text and the calls", async () => {
    const response = await ask(spoken, { steps: [{ say: "I note it.", call: [note] }], stream: true });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const told = await response.text();
    const events = dataOf(told);
    for (const event of events) expect(spoken.event.parse(event)).toEqual(event);
    expect(told).toContain("I note it.");
    expect(told).toContain(String.raw`in {{cwd}}`);
    expect(model?.requests[0]?.stream).toBe(true);
  });

  test("each answer of the past uses one step, calls and results included", async () => {
    const steps = [{ call: [note] }, { say: "Second." }];
    const answer = await ask(spoken, { steps, told: "hello, called, answered" });
    expect(await answer.text()).toContain("Second.");
  });

  test("a request that offers no tools gets a title", async () => {
    const answer = await (await ask(spoken, { steps: [{ say: "First." }], toolless: true })).text();
    expect(answer).toContain("A title");
    expect(answer).not.toContain("First.");
  });

  test.each([400, 401, 402, 429, 500, 503])("a refusal with %i has the published shape", async (status) => {
    const error = { status, message: "no, thanks", headers: { "retry-after": "7" } };
    const response = await ask(spoken, { steps: [{ error }] });
    const body = await response.json();
    expect([response.status, response.headers.get("retry-after")]).toEqual([status, "7"]);
    expect(spoken.error.parse(body)).toEqual(body);
    expect(JSON.stringify(body)).toContain("no, thanks");
  });

  test("a body of another API is refused in this one's words", async () => {
    await ask(spoken, { steps: [] });
    const response = await fetch(`${model?.origin}${spoken.path(false)}`, { method: "POST", body: "{}" });
    const body = await response.json();
    expect(response.status).toBe(400);
    expect(spoken.error.parse(body)).toEqual(body);
  });
});

test("events of the responses API are numbered, and those of a text and of arguments add up", async () => {
  const spoken = SPOKEN["responses"];
  if (spoken === undefined) throw new Error("the responses API is not spoken here");
  const steps = [{ say: "I note it.", call: [{ tool: "note", args: { a: 1 } }] }];
  const events = dataOf(await (await ask(spoken, { steps, stream: true })).text()).map((event) =>
    responsesEvent.parse(event),
  );
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
  const written = events.flatMap((event) => ("delta" in event ? event.delta : []));
  expect(written).toEqual(["I note it.", '{"a":1}']);
});

async function kindOf(name: string, status: number): Promise<unknown> {
  const spoken = SPOKEN[name];
  if (spoken === undefined) throw new Error(`nobody speaks ${name}`);
  await model?.close();
  model = undefined;
  const { error } = Object(await (await ask(spoken, { steps: [{ error: { status } }] })).json());
  return error.status ?? error.type;
}

test("the kinds of Anthropic's and Google's errors are those of their statuses", async () => {
  expect(await kindOf("anthropic", 429)).toBe("rate_limit_error");
  expect(await kindOf("anthropic", 529)).toBe("overloaded_error");
  expect(await kindOf("anthropic", 500)).toBe("api_error");
  expect(await kindOf("gemini", 429)).toBe("RESOURCE_EXHAUSTED");
  expect(await kindOf("gemini", 503)).toBe("UNAVAILABLE");
});
