import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { ModelGateway } from "../../../../src/adapters/runtimes/gateway/model-gateway.ts";
import { RefusedModels } from "../../../../src/adapters/runtimes/gateway/refused-models.ts";
import { SentMessages } from "../../../../src/adapters/runtimes/gateway/sent-messages.ts";
import type { ModelAt, ModelProvider, RuntimeEvent } from "../../../../src/domain/ports/agent-runtime.ts";
import { createFakeClock } from "../../../fakes/clock.ts";
import { CHAT } from "./gateway-rig.ts";

const log = { debug() {}, info() {}, warn() {}, error() {} };

type Answer = number | "hangs up" | "breaks off" | "says nothing" | "sends on";

const WORD = 'data: {"choices":[{"delta":{"content":"w"}}]}\n\n';

/** A model whose provider gives these answers in turn, a number is a status, and the last one for ever. */
async function model(name: string, type: ModelProvider["type"], ...answers: Answer[]) {
  const seen: { url: string | undefined; key: string; model: unknown }[] = [];
  const retry: { after: string | undefined } = { after: undefined };
  const server = createServer((request, response) => {
    void serve(request, response);
  });
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { authorization, "x-api-key": xApiKey, "api-key": apiKey } = request.headers;
    const key = [authorization, xApiKey, apiKey].flat().join("");
    seen.push({ url: request.url, key, model: Reflect.get(Object(JSON.parse(body)), "model") });
    const given = answers.length > 1 ? answers.shift() : answers[0];
    if (given !== undefined) answer(given, response, retry.after);
  }
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
  const baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/v1`;
  const provider = {
    type,
    baseUrl,
    apiKey: `key of ${name}`,
    wireApi: "completions",
    maxPromptTokens: undefined,
  } as const;
  const at: ModelAt = { provider, model: name };
  return { at, seen, retry, close };
}

function answer(given: Answer, response: ServerResponse, retryAfter: string | undefined): void {
  if (given === "hangs up") response.destroy();
  else if (given === "breaks off") response.write(WORD, () => response.destroy());
  else if (given === "says nothing") response.write('data: {"choices":[]}\n\n', () => response.destroy());
  else if (given === "sends on") response.writeHead(307, { location: "/elsewhere" }).end();
  else
    response
      .writeHead(given, {
        "content-type": "application/json",
        ...(retryAfter === undefined ? {} : { "retry-after": retryAfter }),
      })
      .end(JSON.stringify(given === 200 ? { usage: CHAT } : { error: { message: `scripted ${given}` } }));
}

async function text(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  return body;
}

type Model = Awaited<ReturnType<typeof model>>;

function process() {
  const clock = createFakeClock(0);
  return { clock, refused: new RefusedModels(clock) };
}

async function session([first, ...others]: readonly [Model, ...Model[]], host = process()) {
  const events: RuntimeEvent[] = [];
  let allowed = 0;
  const gateway = new ModelGateway(
    {
      sessionId: "s",
      ...first.at,
      otherModels: others.map(({ at }) => at),
      effort: undefined,
      temperature: undefined,
      mayCallModel: () => {
        allowed += 1;
        return null;
      },
      onEvent: (event) => void events.push(event),
    },
    { log, ...host, messages: await SentMessages.open(null, log) },
  );
  const path = first.at.provider.type === "anthropic" ? "messages" : "chat/completions";
  const body = `{"model":"${first.at.model}","messages":[]}`;
  return {
    host,
    events,
    allowed: () => allowed,
    changes: () => events.flatMap((event) => (event.type === "model_changed" ? [event] : [])),
    used: () => events.flatMap((event) => (event.type === "usage" ? [event.model] : [])),
    ask: async (signal = new AbortController().signal) => {
      const headers = { authorization: "Bearer theirs", "x-api-key": "theirs", "api-key": "theirs" };
      const url = `${first.at.provider.baseUrl}/${path}`;
      const given = await gateway.send(new Request(url, { method: "POST", body, headers }), signal);
      return { status: given.status, text: await given.text(), headers: given.headers };
    },
  };
}

describe("the next model is asked before anything is passed on", () => {
  test.each<[Answer, string]>([
    [402, "answered 402"],
    [429, "answered 429"],
    [500, "answered 500"],
    [529, "answered 529"],
    [204, "answered 502"],
    [600, "answered 502"],
    ["hangs up", "did not answer"],
    ["says nothing", "did not answer"],
    ["sends on", "did not answer"],
  ])("where the first gives %s, with the key and the model of its own provider", async (given, why) => {
    const [first, second] = [await model("one", "openai", given), await model("two", "openai", 200)];
    const { ask, changes, used, allowed } = await session([first, second]);
    expect((await ask()).status).toBe(200);
    expect(first.seen).toEqual([{ url: "/v1/chat/completions", key: "Bearer key of one", model: "one" }]);
    expect(second.seen).toEqual([{ url: "/v1/chat/completions", key: "Bearer key of two", model: "two" }]);
    expect(changes()).toEqual([{ type: "model_changed", from: "one", to: "two", reason: `one ${why}` }]);
    // A call that the provider may have begun to answer is counted too.
    expect(used()).toEqual(why === "did not answer" || given === 204 ? ["one", "two"] : ["two"]);
    expect(allowed()).toBe(1);
  });

  test("where nothing listens", async () => {
    const [first, second] = [await model("one", "openai", 200), await model("two", "azure", 200)];
    await first.close();
    const { ask, used } = await session([first, second]);
    expect((await ask()).status).toBe(200);
    expect(second.seen).toEqual([{ url: "/v1/openai/v1/chat/completions", key: "key of two", model: "two" }]);
    expect(used()).toEqual(["two"]);
  });

  test.each<Answer>([400, 401, 403, 404, 413, 422])("but not where the first gives %s", async (given) => {
    const [first, second] = [await model("one", "anthropic", given), await model("two", "anthropic", 200)];
    const { ask, events } = await session([first, second]);
    expect((await ask()).status).toBe(given);
    expect(second.seen).toEqual([]);
    expect(events).toEqual([]);
  });

  test("and not where the first breaks off in the middle of its answer", async () => {
    const [first, second] = [await model("one", "openai", "breaks off"), await model("two", "openai", 200)];
    const { ask, changes, used } = await session([first, second]);
    await expect(ask()).rejects.toThrow("terminated");
    expect([second.seen, changes(), used()]).toEqual([[], [], ["one"]]);
  });

  test("and not where the agent gave the call up", async () => {
    const [first, second] = [await model("one", "openai"), await model("two", "openai", 200)];
    const { ask, used } = await session([first, second]);
    const abort = new AbortController();
    const asking = ask(abort.signal);
    await expect.poll(() => first.seen.length).toBe(1);
    abort.abort();
    await expect(asking).rejects.toThrow("aborted");
    expect([second.seen, used()]).toEqual([[], ["one"]]);
  });
});

describe("a model that refuses", () => {
  test("is not asked before the time that its provider names, by no session of the process", async () => {
    const [first, second] = [await model("one", "openai", 429, 200), await model("two", "openai", 200)];
    first.retry.after = "60";
    const here = await session([first, second]);
    const there = await session([first, second], here.host);
    await here.ask();
    here.host.clock.advance(59_000);
    await there.ask();
    await here.ask();
    expect(first.seen).toHaveLength(1);
    here.host.clock.advance(1_001);
    await here.ask();
    await there.ask();
    expect([first.seen.length, second.seen.length]).toEqual([3, 3]);
    for (const { changes } of [here, there])
      expect(changes()).toEqual([
        { type: "model_changed", from: "one", to: "two", reason: "one answered 429" },
        { type: "model_changed", from: "two", to: "one", reason: "one answers again" },
      ]);
  });

  test("is asked again after a pause that doubles, where its provider names no time", async () => {
    const [first, second] = [await model("one", "openai", 503), await model("two", "openai", 200)];
    const { ask, host } = await session([first, second]);
    const asked: number[] = [];
    for (let minute = 0; minute < 12; minute += 1) {
      await ask();
      asked.push(first.seen.length);
      host.clock.advance(30_001);
    }
    expect(asked).toEqual([1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4]);
  });

  test("is asked all the same where it is the only one", async () => {
    const only = await model("one", "openai", 429);
    only.retry.after = "60";
    const { ask, host } = await session([only]);
    for (let time = 0; time < 3; time += 1) expect((await ask()).status).toBe(429);
    expect(only.seen).toHaveLength(3);
    expect(host.refused.isOut(only.at)).toBe(true);
  });
});

describe("where every model refuses", () => {
  test("the refusal that is over first is passed on, and until then only that model is asked", async () => {
    const [first, second] = [await model("one", "openai", 429), await model("two", "openai", 429, 429, 200)];
    [first.retry.after, second.retry.after] = ["600", "20"];
    const { ask, changes } = await session([first, second]);
    const refusal = await ask();
    expect([refusal.status, refusal.headers.get("retry-after"), refusal.text]).toEqual([
      429,
      "20",
      '{"error":{"message":"scripted 429"}}',
    ]);
    expect((await ask()).status).toBe(429);
    expect((await ask()).status).toBe(200);
    expect([first.seen.length, second.seen.length]).toEqual([1, 3]);
    expect(changes()).toHaveLength(1);
  });

  test("and none can be reached, the call fails", async () => {
    const [first, second] = [await model("one", "openai", 200), await model("two", "openai", 200)];
    await Promise.all([first.close(), second.close()]);
    const { ask, events } = await session([first, second]);
    await expect(ask()).rejects.toThrow("fetch failed");
    expect(events).toEqual([]);
  });
});

test("two models of one name are told apart by their places", async () => {
  const [first, second] = [await model("one", "openai", 429), await model("one", "openai", 200)];
  const { ask, changes } = await session([first, second]);
  await ask();
  const [from, to] = [first, second].map(({ at }) => `one at ${new URL(at.provider.baseUrl).host}`);
  expect(changes()).toEqual([{ type: "model_changed", from, to, reason: `${from} answered 429` }]);
});
