import { createServer, type RequestListener } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { APIS, providerOf, scripted, talking } from "./session-rig.ts";
import { TalkingAgent } from "./talking-agent.ts";

const refuse = (status: number, message = `scripted ${status}`, headers: Record<string, string> = {}) => ({
  error: { status, message, headers },
});

async function serving(answer: RequestListener) {
  const server = createServer(answer);
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(close);
  const address = server.address();
  return { origin: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`, close };
}

describe.each(APIS)("a provider that speaks %s and refuses", (api) => {
  it.each([
    [401, "authentication", "tell", undefined],
    [403, "authentication", "tell", undefined],
    [400, "invalid_request", "stop", undefined],
    [404, "invalid_request", "stop", undefined],
    [402, "quota", "park", undefined],
    [429, "rate_limit", "park", 600_000],
    [503, "unavailable", "park", 600_000],
  ] as const)(
    "with %i is asked once, and the agent's retries get the same",
    async (status, reason, consequence, retryAfterMs) => {
      const headers: Record<string, string> = retryAfterMs === undefined ? {} : { "retry-after": "600" };
      const model = await scripted([
        refuse(status, `no, "thanks"`, headers),
        { after: "again", say: "Better." },
      ]);
      const { agent, gateway, types } = await talking(api, model.origin);
      let refused = 0;
      gateway.onRefused(() => {
        refused += 1;
      });
      gateway.begin();
      const first = await agent.says("do the work").asks();
      const second = await agent.asks();
      expect([first.status, second.status, second.body]).toEqual([status, status, first.body]);
      expect(first.body).toContain("thanks");
      expect(gateway.failure()).toEqual({
        kind: "model_error",
        reason,
        consequence,
        status,
        retryAfterMs,
        detail: expect.stringContaining(`no, "thanks"`),
      });
      expect([model.requests.length, refused]).toEqual([1, 1]);
      expect(types()).toEqual(["turn_started", "turn_ended"]);
      gateway.begin();
      expect(gateway.failure()).toBeNull();
      expect((await agent.says("again").asks()).text).toBe("Better.");
    },
  );

  it("for a moment is asked again by the agent, within the same turn", async () => {
    const statuses = [500, 429];
    const { origin } = await serving((_, response) => {
      const status = statuses.shift();
      if (status !== undefined)
        return void response.writeHead(status).end('{"error":{"message":"Please try again in 2s."}}');
      const { contentType, body } = dialect.ending("Better.", { model: "own", streams: true });
      response.writeHead(200, { "content-type": contentType }).end(body);
    });
    const { agent, gateway, types, dialect } = await talking(api, origin);
    let refused = 0;
    gateway.onRefused(() => {
      refused += 1;
    });
    agent.says("do the work");
    expect((await agent.asks()).status).toBe(500);
    expect(gateway.failure()).toMatchObject({ reason: "unavailable", status: 500 });
    expect((await agent.asks()).status).toBe(429);
    expect(gateway.failure()).toMatchObject({ reason: "rate_limit", retryAfterMs: 2000 });
    expect((await agent.asks()).text).toBe("Better.");
    expect([gateway.failure(), refused]).toEqual([null, 0]);
    expect(types()).toEqual(["turn_started", "usage", "message", "turn_ended"]);
  });

  it("again and again is not asked a fourth time", async () => {
    const model = await scripted([{ when: ".", ...refuse(500) }]);
    const { agent, gateway } = await talking(api, model.origin);
    let refused = 0;
    gateway.onRefused(() => {
      refused += 1;
    });
    agent.says("do the work");
    for (let time = 0; time < 6; time += 1) expect((await agent.asks()).status).toBe(500);
    expect([model.requests.length, refused]).toEqual([3, 1]);
  });

  it("beyond the host's limits is not asked, and the agent reads why in the form of the API", async () => {
    const model = await scripted([{ say: "Never." }]);
    const { agent, gateway, events } = await talking(api, model.origin, {
      mayCallModel: () => "the limit max_tokens is reached",
    });
    const { status, body } = await agent.says("do the work").asks();
    expect(status).toBe(403);
    expect(JSON.parse(body)).toMatchObject({ error: { message: expect.stringContaining("max_tokens") } });
    expect(gateway.failure()).toMatchObject({ reason: "invalid_request", consequence: "stop" });
    expect(events).toContainEqual({
      type: "model_call_refused",
      reason: "limit_reached: the limit max_tokens is reached",
    });
    expect(model.requests).toEqual([]);
  });

  it("is stood in for by the session's other model, and the agent notices nothing", async () => {
    const [first, second] = [await scripted([refuse(429)]), await scripted([{ say: "Here." }])];
    const { agent, gateway, events } = await talking(api, first.origin, {
      otherModels: [{ provider: providerOf(api, second.origin), model: "other" }],
    });
    expect((await agent.says("do the work").asks()).text).toBe("Here.");
    expect(gateway.failure()).toBeNull();
    expect(second.requests.map(({ model }) => model)).toEqual(["other"]);
    expect(events).toContainEqual({
      type: "model_changed",
      from: "own",
      to: "other",
      reason: "own answered 429",
    });
    expect(events).toContainEqual(expect.objectContaining({ type: "usage", model: "other" }));
  });

  it("where nobody listens counts as unavailable after three tries", async () => {
    const { origin, close } = await serving(() => undefined);
    await close();
    const { agent, gateway, events } = await talking(api, origin);
    let refused = 0;
    gateway.onRefused(() => {
      refused += 1;
    });
    agent.says("do the work");
    for (let time = 0; time < 4; time += 1) expect((await agent.asks()).status).toBe(502);
    expect(gateway.failure()).toMatchObject({
      reason: "unavailable",
      consequence: "park",
      status: undefined,
      detail: expect.stringContaining("ECONNREFUSED"),
    });
    expect(refused).toBe(1);
    expect(events.filter(({ type }) => type === "usage")).toEqual([]);
  });
});

it("half an event and then nothing is counted as cut off when the session closes, and the turn ends", async () => {
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const { origin } = await serving((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write('data: {"choices":[{"index":0,"delta":{"content":"Some words"}}]}\n\ndata: {"cho', () =>
      resolve(),
    );
  });
  const { agent, gateway, types, events } = await talking("completions", origin);
  const response = await agent.says("do the work").send();
  const reader = response.body?.getReader();
  await reader?.read();
  await begun;
  await gateway.close();
  await expect(reader?.read()).rejects.toThrow("aborted");
  expect(types()).toEqual(["turn_started", "usage", "turn_ended"]);
  expect(events).toContainEqual(expect.objectContaining({ type: "usage", answered: false, outputTokens: 4 }));
  expect(gateway.failure()).toMatchObject({ reason: "unavailable" });
  expect((await agent.send()).status).toBe(200);
  expect(types()).toHaveLength(3);
});

it("an error in the middle of an answer is no answer, and the agent may ask again", async () => {
  let count = 0;
  const { origin } = await serving((_, response) => {
    count += 1;
    response.writeHead(200, { "content-type": "text/event-stream" });
    const overloaded = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    const text = { type: "content_block_start", index: 0, content_block: { type: "text", text: "Yes." } };
    response.end(`data: ${JSON.stringify(count === 1 ? overloaded : text)}\n\n`);
  });
  const { agent, gateway, types } = await talking("anthropic", origin);
  await agent.says("do the work").asks();
  expect(gateway.failure()).toMatchObject({ reason: "unavailable", detail: "Overloaded" });
  agent.items.pop();
  await agent.asks();
  expect(gateway.failure()).toBeNull();
  expect(types().filter((type) => type === "message")).toHaveLength(1);
});

it("an agent that gives a call up ends its turn, and nothing was refused", async () => {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  const { origin } = await serving(() => resolve());
  const { agent, gateway, types } = await talking("completions", origin);
  const abort = new AbortController();
  const asking = agent.says("do the work").send(agent.body(), abort.signal);
  await reached;
  abort.abort();
  expect((await asking).status).toBe(502);
  expect([gateway.failure(), types()]).toEqual([null, ["turn_started", "usage", "turn_ended"]]);
});

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
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
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
