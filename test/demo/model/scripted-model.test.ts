import { afterEach, expect, test } from "vitest";
import { type ScriptInput, scriptSchema } from "../../../src/demo/model/script.ts";
import { type ScriptedModel, startScriptedModel } from "../../../src/demo/model/scripted-model.ts";

let model: ScriptedModel | undefined;
afterEach(async () => {
  await model?.close();
  model = undefined;
});

async function ask(
  steps: ScriptInput["conversations"][number]["steps"],
  body: object = {},
  observe: () => void = () => undefined,
) {
  model ??= await startScriptedModel({
    script: scriptSchema.parse({ conversations: [{ match: "hello", steps }] }),
    host: "127.0.0.1",
    port: 0,
    observe,
  });
  return fetch(`${model.url}/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer k", "content-type": "application/json" },
    body: JSON.stringify({
      model: "m",
      messages: [
        { role: "system", content: "* Current working directory: /w\nmore" },
        { role: "user", content: [{ type: "text", text: "hello" }] },
      ],
      tools: [
        { type: "function", function: { name: "note" } },
        { type: "custom", custom: { name: "apply_patch" } },
      ],
      ...body,
    }),
  });
}

test("an answer holds the text, the calls with the directory filled in, and token counts", async () => {
  const response = await ask([{ say: "in {{cwd}}", call: [{ tool: "note", args: { path: "{{cwd}}/a" } }] }]);
  expect(await response.json()).toMatchObject({
    object: "chat.completion",
    model: "m",
    choices: [
      {
        finish_reason: "tool_calls",
        message: {
          role: "assistant",
          content: "in /w",
          tool_calls: [{ type: "function", function: { name: "note", arguments: '{"path":"/w/a"}' } }],
        },
      },
    ],
    usage: { prompt_tokens: expect.any(Number), completion_tokens: expect.any(Number) },
  });
  expect(model?.requests).toEqual([
    {
      api: "chat",
      model: "m",
      stream: false,
      body: expect.stringContaining('"name":"apply_patch"'),
      authorization: "Bearer k",
      tools: ["note", "apply_patch"],
      messages: [
        { role: "system", content: "* Current working directory: /w\nmore" },
        { role: "user", content: "hello" },
      ],
    },
  ]);
});

test("the same answer is streamed on request", async () => {
  const response = await ask([{ say: "hi", call: [{ tool: "note" }] }], { stream: true });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const lines = (await response.text()).split("\n\n").filter((line) => line !== "");
  expect(lines.at(-1)).toBe("data: [DONE]");
  const chunks = lines.slice(0, -1).map((line) => JSON.parse(line.slice("data: ".length)));
  expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe("hi");
  expect(chunks.some(({ choices }) => choices[0]?.delta.tool_calls?.[0].function.name === "note")).toBe(true);
  expect(chunks.at(-1).usage.total_tokens).toBeGreaterThan(0);
});

test("an error step answers with its status and headers", async () => {
  const response = await ask([
    { error: { status: 429, message: "slow down", headers: { "retry-after": "7" } } },
  ]);
  expect(response.status).toBe(429);
  expect(response.headers.get("retry-after")).toBe("7");
  expect(await response.json()).toMatchObject({ error: { message: "slow down" } });
});

test("an unknown conversation, an invalid body and an unknown path are refused", async () => {
  expect((await ask([], { messages: [{ role: "user", content: "goodbye" }] })).status).toBe(400);
  expect((await ask([], { messages: "x" })).status).toBe(400);
  expect((await fetch(`${model?.url}/models`)).status).toBe(404);
});

test("closing ends answers in progress", async () => {
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  const waiting = ask([{ delayMs: 3_600_000, say: "late" }], {}, resolve);
  await arrived;
  await Promise.all([expect(waiting).rejects.toThrow("fetch failed"), model?.close()]);
  model = undefined;
});
