import { describe, expect, it } from "vitest";
import { APIS, providerOf, scripted, serving, talking } from "./session-rig.ts";

const refuse = (status: number, message = `scripted ${status}`, headers: Record<string, string> = {}) => ({
  error: { status, message, headers },
});

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
      gateway.begin("do the work");
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
      gateway.begin("again");
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

it("a retry of an earlier exchange that comes late gets the earlier refusal, and the new message an answer", async () => {
  const model = await scripted([refuse(400, "no, thanks"), { after: "again", say: "Better." }]);
  const { agent, gateway } = await talking("anthropic", model.origin);
  gateway.begin("do the work");
  const refused = await agent.says("do the work").asks();
  gateway.begin("again");
  expect((await agent.asks()).body).toBe(refused.body);
  expect([gateway.failure()?.status, model.requests.length]).toEqual([400, 1]);
  expect((await agent.says("again").asks()).text).toBe("Better.");
  expect(gateway.failure()).toBeNull();
});

it("the same message once more is no late retry, though the agent has forgotten the first", async () => {
  const model = await scripted([{ when: ".", say: "Better." }]);
  const { agent, gateway } = await talking("anthropic", model.origin);
  gateway.begin("do the work");
  await agent.says("do the work").asks();
  agent.items.pop();
  gateway.begin("do the work");
  expect((await agent.asks()).text).toBe("Better.");
  expect(model.requests).toHaveLength(2);
});

it("a late question after the end of a turn is answered by the host", async () => {
  const model = await scripted([{ say: "Half." }, { after: "again", say: "Better." }]);
  const { agent, gateway } = await talking("gemini", model.origin);
  gateway.begin("do the work");
  await agent.says("do the work").asks();
  agent.items.pop();
  gateway.endTurn();
  gateway.begin("again");
  expect((await agent.asks()).text).toBe("The turn ends here.");
  expect(model.requests).toHaveLength(1);
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
    const events = count === 1 ? [text, overloaded] : [text];
    response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
  });
  const { agent, gateway, types } = await talking("anthropic", origin);
  await agent.says("do the work").asks();
  expect(gateway.failure()).toMatchObject({ reason: "unavailable", detail: "Overloaded" });
  agent.items.pop();
  await agent.asks();
  expect(gateway.failure()).toBeNull();
  expect(types().filter((type) => type === "message")).toHaveLength(1);
});

it("an agent that gives an answer up has not been refused", async () => {
  const { origin } = await serving((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write('data: {"choices":[{"index":0,"delta":{"content":"Some words"}}]}\n\n');
  });
  const { agent, gateway, types } = await talking("completions", origin);
  const reader = (await agent.says("do the work").send()).body?.getReader();
  await reader?.read();
  await reader?.cancel();
  expect([gateway.failure(), types()]).toEqual([null, ["turn_started", "usage", "turn_ended"]]);
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

describe.each(APIS)("an agent that speaks %s and has lost our tools", (api) => {
  it("asks for nothing, and its exchange ends so that it is started again", async () => {
    const model = await scripted([{ say: "Never said." }]);
    const { agent, gateway, types } = await talking(api, model.origin);
    let refused = 0;
    gateway.onRefused(() => {
      refused += 1;
    });
    gateway.begin("do the work");
    agent.tools = ["bash"];
    const first = await agent.says("do the work").asks();
    const second = await agent.asks();
    expect([first.status, second.status]).toEqual([403, 403]);
    expect(first.body).toContain("none of Flotilla's tools");
    expect(gateway.failure()).toMatchObject({ reason: "no_answer", consequence: "retry" });
    expect([model.requests.length, refused, types()]).toEqual([0, 1, []]);
  });

  it("is not taken for one that asks beside the conversation", async () => {
    const model = await scripted([{ say: "Said." }]);
    const beside = await talking(api, model.origin);
    beside.gateway.begin("look for the file of which the work is about");
    beside.agent.tools = ["bash"];
    expect((await beside.agent.says("do the work").asks()).text).toBe("Said.");
    const without = await talking(api, model.origin, { tools: [] });
    without.gateway.begin("do the work");
    without.agent.tools = ["bash"];
    expect((await without.agent.says("do the work").asks()).text).toBe("Said.");
    expect([beside.gateway.failure(), without.gateway.failure()]).toEqual([null, null]);
  });
});

it("an agent that asks again and again where each answer breaks off is refused after three", async () => {
  let count = 0;
  const { origin } = await serving((_, response) => {
    count += 1;
    response.writeHead(200, { "content-type": "text/event-stream" });
    const word = 'data: {"choices":[{"index":0,"delta":{"content":"Some words"}}]}\n\n';
    response.write(word, () => response.destroy());
  });
  const { agent, gateway } = await talking("completions", origin);
  agent.says("do the work");
  for (let time = 0; time < 3; time += 1)
    await expect((await agent.send()).text()).rejects.toThrow("terminated");
  expect((await agent.send()).status).toBe(502);
  expect([count, gateway.failure()?.detail]).toEqual([3, "the provider broke off its answer"]);
});
