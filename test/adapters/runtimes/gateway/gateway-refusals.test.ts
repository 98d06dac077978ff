import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { asking, CHAT, estimate, gateway, json } from "./gateway-rig.ts";

describe("a call that may not be made does not go out", () => {
  test.each<[string, string, string | Uint8Array<ArrayBuffer>, number]>([
    ["another_model", "chat/completions", asking({ model: "the-dearest" }), 403],
    ["not_a_plain_call", "chat/completions", asking({ models: ["the-dearest"] }), 400],
    ["not_a_plain_call", "chat/completions", asking({ fallbacks: ["the-dearest"] }), 400],
    ["not_a_plain_call", "responses", asking({ background: true }), 400],
    ["not_a_plain_call", "responses", asking({ service_tier: "priority" }), 400],
    ["not_a_plain_call", "chat/completions", "model=own", 400],
    ["not_a_plain_call", "chat/completions", "[]", 400],
    ["not_a_model_call", "embeddings", asking(), 403],
    ["not_a_model_call", "chat/completions/x", asking(), 403],
    ["not_a_model_call", "threads/1/messages", asking(), 403],
    ["not_a_model_call", "files", asking(), 403],
    ["too_large", "chat/completions", new Uint8Array(33 * 1024 * 1024), 413],
  ])("%s: %s, %#", async (code, path, body, status) => {
    const { asked, url, bodies, events, logged } = await gateway(json({ usage: CHAT }));
    for (let time = 0; time < 3; time += 1) {
      const answer = await asked.ask(`${url}/${path}`, body);
      expect(answer.status).toBe(status);
      expect(await answer.json()).toMatchObject({ error: { code, message: expect.any(String) } });
    }
    expect(bodies).toEqual([]);
    expect(events).toEqual([{ type: "model_call_refused", reason: expect.stringContaining(code) }]);
    expect(logged).toEqual([expect.objectContaining({ session: "s", code })]);
  });

  test.each([
    [
      "chat/completions",
      { messages: [{ content: [{ type: "image_url", image_url: { url: "https://x.example" } }] }] },
    ],
    ["responses", { input: [{ content: [{ type: "input_image", image_url: "https://x.example/" }] }] }],
    [
      "messages",
      { messages: [{ content: [{ type: "image", source: { type: "url", url: "https://x.example" } }] }] },
    ],
  ])("nor does one of %s with something that the provider would fetch", async (path, more) => {
    const { asked, url, bodies, events } = await gateway(json({}));
    expect((await asked.ask(`${url}/${path}`, asking(more))).status).toBe(403);
    expect(bodies).toEqual([]);
    expect(events).toEqual([
      { type: "model_call_refused", reason: expect.stringContaining("remote_content") },
    ]);
  });

  test.each([
    ["chat/completions", { type: "function", function: { name: "note" } }],
    ["responses", { type: "function", name: "note" }],
    ["messages", { name: "note" }],
  ])("and of %s, tools that the provider would run are taken out", async (path, note) => {
    const { asked, url, bodies } = await gateway(json({ usage: CHAT }));
    await asked.ask(`${url}/${path}`, asking({ tools: [note, { type: "web_search_20250305" }] }));
    expect(bodies.map((body) => JSON.parse(body).tools)).toEqual([[note]]);
  });

  test("nor does one that is no POST", async () => {
    const { asked, url, bodies } = await gateway(json({}));
    expect((await asked.ask(`${url}/models`, "", { method: "GET" })).status).toBe(403);
    expect((await asked.ask(`${url}/chat/completions`, "", { method: "GET" })).status).toBe(403);
    expect(bodies).toEqual([]);
  });

  test("what goes out is what was checked, where a model is named twice", async () => {
    const { asked, url, bodies } = await gateway(json({ usage: CHAT }));
    await asked.ask(`${url}/chat/completions`, '{"model":"the-dearest","model":"own"}');
    expect(bodies).toEqual(['{"model":"own"}']);
  });

  test("beyond the limits, and it is said in the provider's own form", async () => {
    const reason = "the limit max_tokens is reached";
    const { asked, url, bodies, events } = await gateway(json({}), {
      type: "anthropic",
      mayCallModel: () => reason,
    });
    const answer = await asked.ask(`${url}/messages`);
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { type: "error", error: { type: "permission_error", message: `limit_reached: ${reason}` } },
    ]);
    expect(bodies).toEqual([]);
    expect(events).toEqual([{ type: "model_call_refused", reason: `limit_reached: ${reason}` }]);
  });

  test("while four are under way, whose prompts the limits are asked about", async () => {
    const waiting: ServerResponse[] = [];
    const underWay: number[] = [];
    const { promise: four, resolve } = Promise.withResolvers<void>();
    const { asked, url, booked } = await gateway(
      (_, response) => {
        waiting.push(response);
        if (waiting.length === 4) resolve();
      },
      {
        mayCallModel: (tokens) => {
          underWay.push(tokens);
          return null;
        },
      },
    );
    const call = () => asked.ask(`${url}/chat/completions`).then((answer) => answer.text());
    const calls = [call(), call(), call(), call()];
    await four;
    const fifth = await asked.ask(`${url}/chat/completions`);
    expect([fifth.status, fifth.headers.get("retry-after")]).toEqual([429, "1"]);
    const prompt = estimate(asking());
    expect(underWay).toEqual([0, prompt, 2 * prompt, 3 * prompt]);
    for (const response of waiting) response.end(JSON.stringify({ usage: CHAT }));
    await Promise.all(calls);
    expect(booked()).toHaveLength(4);
    const next = asked.ask(`${url}/chat/completions`);
    await expect.poll(() => waiting.length).toBe(5);
    waiting[4]?.end("{}");
    expect((await next).status).toBe(200);
    expect(underWay.at(-1)).toBe(0);
  });
});
