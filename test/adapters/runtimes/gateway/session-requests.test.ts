import { describe, expect, it } from "vitest";
import { scripted, serving, talking } from "./session-rig.ts";
import { TalkingAgent } from "./talking-agent.ts";

describe("what is no plain call of the session's model does not go out", () => {
  it.each([
    ["/v1/models", "GET", 404],
    ["/v1/embeddings", "POST", 404],
    ["/v1/files", "POST", 404],
    ["/v1/chat/completions", "GET", 404],
    ["/v1/chat/../files", "POST", 404],
    ["/v1/chat/completions%2f..%2ffiles", "POST", 404],
    ["/v1/chat/completions?api-version=1", "POST", 404],
    ["//elsewhere.example/v1/chat/completions", "POST", 404],
  ])("%s by %s", async (path, method, status) => {
    const model = await scripted([{ say: "Never." }]);
    const { gateway, events } = await talking("completions", model.origin);
    const request = new Request(`http://flotilla.invalid${path}`, {
      method,
      ...(method === "GET" ? {} : { body: "{}" }),
    });
    expect((await gateway.handle(request)).status).toBe(status);
    expect([model.requests, events]).toEqual([[], []]);
  });

  it("but tokens are counted here, for nothing", async () => {
    const model = await scripted([]);
    const { gateway } = await talking("anthropic", model.origin);
    const request = new Request("http://flotilla.invalid/v1/messages/count_tokens", {
      method: "POST",
      body: "x".repeat(300),
    });
    expect(await (await gateway.handle(request)).json()).toMatchObject({ input_tokens: 100 });
    expect(model.requests).toEqual([]);
  });

  it.each([
    [
      "completions",
      {
        messages: [
          { role: "user", content: [{ type: "image_url", image_url: { url: "https://x.example/?secret" } }] },
        ],
      },
    ],
    [
      "responses",
      { input: [{ role: "user", content: [{ type: "input_image", image_url: "https://x.example/" }] }] },
    ],
    [
      "responses",
      { input: [{ role: "user", content: [{ type: "input_file", file_url: "https://x.example/" }] }] },
    ],
    [
      "anthropic",
      {
        messages: [
          { role: "user", content: [{ type: "image", source: { type: "url", url: "https://x.example/" } }] },
        ],
      },
    ],
    ["gemini", { contents: [{ role: "user", parts: [{ fileData: { fileUri: "https://x.example/" } }] }] }],
  ] as const)("with something that the provider would fetch: %s, %#", async (api, more) => {
    const model = await scripted([{ say: "Never." }]);
    const { agent, events } = await talking(api, model.origin);
    const response = await agent.says("do the work").send(agent.body(more));
    expect([response.status, model.requests.length]).toEqual([403, 0]);
    expect(events).toEqual([
      { type: "model_call_refused", reason: expect.stringContaining("remote_content") },
    ]);
  });

  it("while a picture by its content and an address in a text do", async () => {
    const model = await scripted([{ say: "Yes." }]);
    const { agent } = await talking("completions", model.origin);
    const content = [
      { type: "text", text: "do the work at https://x.example/" },
      { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } },
    ];
    const messages = [
      { role: "system", content: "Role: contract." },
      { role: "user", content },
    ];
    expect((await agent.send(agent.body({ messages }))).status).toBe(200);
  });

  it.each([
    ["{", 400],
    ["[]", 400],
    ["null", 400],
    ['{"messages":[],"service_tier":"priority"}', 400],
    ["x".repeat(33 * 1024 * 1024), 413],
  ])("with a body that is none, %#", async (body, status) => {
    const model = await scripted([{ say: "Never." }]);
    const { agent } = await talking("completions", model.origin);
    expect((await agent.send(body)).status).toBe(status);
    expect(model.requests).toEqual([]);
  });
});

it("a flood of requests at once is four at the provider, and the rest is told to wait", async () => {
  const { promise: four, resolve } = Promise.withResolvers<void>();
  let count = 0;
  const { origin } = await serving(() => {
    count += 1;
    if (count === 4) resolve();
  });
  const { agent, gateway } = await talking("completions", origin);
  const abort = new AbortController();
  agent.says("do the work");
  const all = Array.from({ length: 50 }, () => agent.send(agent.body(), abort.signal));
  await four;
  const refused = await Promise.all(all.slice(4));
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]));
  expect(count).toBe(4);
  expect(gateway.failure()).toBeNull();
  abort.abort();
  await Promise.all(all);
});

it("a second conversation that begins while the first is answered is a side request", async () => {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  const { origin } = await serving((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write('data: {"choices":[{"index":0,"delta":{"content":"Some words"}}]}\n\n');
    resolve();
  });
  const { agent, gateway, types, dialect } = await talking("completions", origin);
  await agent.says("do the work").send();
  await reached;
  const other = new TalkingAgent(dialect, gateway);
  await other.says("another").send();
  expect(types()).toEqual(["turn_started"]);
  await gateway.close();
});
