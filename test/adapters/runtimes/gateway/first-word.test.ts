import { describe, expect, it } from "vitest";
import type { Api } from "../../../../src/adapters/runtimes/gateway/dialects/dialect.ts";
import { APIS, providerOf, scripted, serving, talking } from "./session-rig.ts";

const events = (...list: readonly object[]) =>
  list.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");

/** What each API sends where it is overloaded after it has answered 200. */
const OVERLOADED: Readonly<Record<Api, readonly object[]>> = {
  completions: [
    { choices: [{ index: 0, delta: { role: "assistant", content: "" } }] },
    { error: { message: "Provider returned error: try again in 20s", code: 502 } },
  ],
  responses: [
    { type: "response.created", response: { status: "in_progress" } },
    { type: "response.failed", response: { error: { code: "server_error", message: "try again in 20s" } } },
  ],
  anthropic: [
    { type: "message_start", message: { usage: { input_tokens: 5, output_tokens: 1 } } },
    { type: "ping" },
    { type: "error", error: { type: "overloaded_error", message: "Overloaded, try again in 20s" } },
  ],
  gemini: [
    { error: { code: 503, status: "UNAVAILABLE", message: "The model is overloaded, try again in 20s" } },
  ],
};

async function provider(body: string) {
  let asked = 0;
  const { origin } = await serving((_, response) => {
    asked += 1;
    response.writeHead(200, { "content-type": "text/event-stream" }).end(body);
  });
  return { origin, asked: () => asked };
}

describe.each(APIS)("a provider of %s that answers 200 and then an error", (api) => {
  it("is passed over for the next model, told, and costs nothing", async () => {
    const first = await provider(events(...OVERLOADED[api]));
    const model = await scripted([{ say: "Done." }]);
    const {
      agent,
      gateway,
      events: told,
    } = await talking(api, first.origin, {
      otherModels: [{ provider: providerOf(api, model.origin), model: "next" }],
    });
    expect(await agent.says("do the work").asks()).toMatchObject({ status: 200, text: "Done." });
    const changed = told.find(({ type }) => type === "model_changed");
    expect(changed).toEqual({ type: "model_changed", from: "own", to: "next", reason: "own answered 503" });
    expect(told.flatMap((event) => (event.type === "usage" ? [event.model] : []))).toEqual(["next"]);
    expect(gateway.failure()).toBeNull();
    await agent.says("again").asks();
    expect(first.asked()).toBe(1);
  });

  it("is a refusal with a status where there is no other model", async () => {
    const {
      agent,
      gateway,
      events: told,
    } = await talking(api, (await provider(events(...OVERLOADED[api]))).origin);
    expect(await agent.says("do the work").asks()).toMatchObject({ status: 503 });
    expect(gateway.failure()).toMatchObject({ reason: "unavailable", status: 503, retryAfterMs: 20_000 });
    expect(told.filter(({ type }) => type === "usage")).toEqual([]);
  });
});

it.each([
  ["rate_limit_error", 429],
  ["insufficient_quota", 402],
])("an error %s is one of status %d", async (type, status) => {
  const { agent } = await talking(
    "anthropic",
    (await provider(events({ type: "error", error: { type, message: "no" } }))).origin,
  );
  expect((await agent.says("do the work").asks()).status).toBe(status);
});

it("an error that is the request's own is passed on as it is, and no other model is asked", async () => {
  const body = events({ type: "error", error: { type: "invalid_request_error", message: "too long" } });
  const other = await provider("");
  const { agent } = await talking("anthropic", (await provider(body)).origin, {
    otherModels: [{ provider: providerOf("anthropic", other.origin), model: "next" }],
  });
  expect(await agent.says("do the work").asks()).toMatchObject({ status: 200, body });
  expect(other.asked()).toBe(0);
});

it.each(["", "no JSON at all", ": only a comment\n\n"])("an answer %j has no content", async (body) => {
  const { agent, gateway, events: told } = await talking("completions", (await provider(body)).origin);
  expect((await agent.says("do the work").asks()).status).toBe(502);
  expect(gateway.failure()).toMatchObject({ reason: "unavailable", status: 502 });
  // The provider may ask money for it.
  expect(told.filter(({ type }) => type === "usage")).toHaveLength(1);
});

it("an answer whose first word takes long is passed on as it comes", async () => {
  const start = events({ choices: [{ index: 0, delta: { role: "assistant", content: "" } }] });
  const word = events({ choices: [{ index: 0, delta: { content: "Late." } }] });
  const { promise: reached, resolve: reach } = Promise.withResolvers<(text: string) => void>();
  const { origin } = await serving((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(start, () => reach((text) => void response.end(text)));
  });
  const { agent, clock, types } = await talking("completions", origin);
  const answering = agent.says("do the work").send();
  const send = await reached;
  let isGiven = false;
  void answering.then(() => (isGiven = true));
  await expect.poll(() => (clock.advance(5000), isGiven)).toBe(true);
  const reader = (await answering).body?.getReader();
  const read = async () => Buffer.from((await reader?.read())?.value ?? []).toString();
  expect(await read()).toBe(start);
  send(word);
  expect(await read()).toBe(word);
  await reader?.read();
  expect(types()).toEqual(["turn_started", "usage", "message", "turn_ended"]);
});
