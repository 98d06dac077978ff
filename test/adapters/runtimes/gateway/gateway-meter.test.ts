import type { RequestListener, ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { asking, CHAT, estimate, gateway, json, type Usage, use } from "./gateway-rig.ts";

const stream = (events: readonly object[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
const streamed = (events: readonly object[]) => (_: unknown, response: ServerResponse) =>
  void response
    .writeHead(200, { "content-type": "text/event-stream" })
    .end(`${stream(events)}data: [DONE]\n\n`);
const piece = (content: string) => ({ choices: [{ delta: { content } }] });
const RESPONSES = { input_tokens: 1000, output_tokens: 10, input_tokens_details: { cached_tokens: 600 } };
const MESSAGES = {
  input_tokens: 300,
  cache_creation_input_tokens: 100,
  cache_read_input_tokens: 600,
  output_tokens: 10,
};

const report = (inputTokens: number): Usage => ({ ...use(inputTokens, 10, 600), type: "usage" });

describe("a call is booked by the provider's word", () => {
  test.each([
    ["chat/completions", json({ choices: [{ message: { content: "x" } }], usage: CHAT })],
    ["chat/completions", streamed([piece("x"), { choices: [], usage: CHAT }])],
    ["responses", json({ output: [], usage: RESPONSES })],
    [
      "responses",
      streamed([
        { type: "response.created", response: { usage: null } },
        { type: "response.output_text.delta", delta: "x" },
        { type: "response.completed", response: { usage: RESPONSES } },
      ]),
    ],
    ["messages", json({ content: [{ text: "x" }], usage: MESSAGES })],
    [
      "messages",
      streamed([
        { type: "message_start", message: { usage: { ...MESSAGES, output_tokens: 1 } } },
        { type: "content_block_delta", delta: { text: "x" } },
        { type: "message_delta", delta: {}, usage: { output_tokens: 10 } },
      ]),
    ],
  ] as const)("of %s, in one piece and streamed: %#", async (path, answer) => {
    const { asked, url, events } = await gateway(answer);
    await (await asked.ask(`${url}/${path}`)).text();
    expect(events).toEqual([use(1000, 10, 600)]);
  });

  test("however its bytes come, and nothing that the model writes is taken for it", async () => {
    const lie = `"}\n\ndata: ${JSON.stringify({ usage: { prompt_tokens: 1, completion_tokens: 1 } })}\n\n`;
    const bytes = Buffer.from(
      stream([
        piece(`${lie} käse 漢字`),
        { choices: [{ delta: { usage: { prompt_tokens: 1 } } }] },
        { usage: CHAT },
      ]),
    );
    const { asked, url, events } = await gateway((_, response) => {
      for (const byte of bytes) response.write(Buffer.of(byte));
      response.end();
    });
    const answer = await asked.ask(`${url}/chat/completions`);
    expect(await answer.text()).toBe(bytes.toString());
    expect(events).toEqual([use(1000, 10, 600)]);
  });

  test("and a refused or failed one is not booked", async () => {
    const { asked, url, events } = await gateway((_, response) => void response.writeHead(500).end("{}"));
    expect((await asked.ask(`${url}/chat/completions`)).status).toBe(500);
    const gone = await gateway(json({}));
    await gone.end();
    await expect(gone.asked.ask(`${gone.url}/chat/completions`)).rejects.toThrow("fetch failed");
    expect(gone.events).toEqual([]);
    expect(events).toEqual([]);
  });
});

describe("a call of which the provider does not say what it came to is booked by its bytes", () => {
  const prompt = estimate(asking());

  test.each<[string, RequestListener, number]>([
    [
      "a stream without usage",
      streamed([piece("some words"), piece(" and more")]),
      estimate("some words and more"),
    ],
    ["JSON without usage", json({ choices: [{ message: { content: "words" } }] }), estimate("words")],
    ["usage of no tokens", json({ content: "words", usage: { ...CHAT, prompt_tokens: 0 } }), 10],
    ["usage that is none", json({ content: "words", usage: { prompt_tokens: -1, completion_tokens: 1 } }), 2],
    ["what is neither", (_, response) => void response.end("words"), 2],
  ])("%s", async (_, answer, output) => {
    const { asked, url, booked } = await gateway(answer);
    await (await asked.ask(`${url}/chat/completions`)).text();
    const [{ inputTokens, outputTokens } = { inputTokens: 0, outputTokens: 0 }] = booked();
    expect([inputTokens, outputTokens]).toEqual([prompt, output]);
  });

  test("one that was cut off by the provider, by the runtime, or with the process", async () => {
    const words = "words of an answer that is cut off";
    const begin: RequestListener = (_, response) => void response.write(stream([piece(words)]));
    const cutOff = await gateway((_, response) => {
      response.write(stream([piece(words)]), () => response.destroy());
    });
    const answer = await cutOff.asked.ask(`${cutOff.url}/chat/completions`);
    await expect(answer.text()).rejects.toThrow("terminated");
    expect(cutOff.events).toEqual([use(prompt, estimate(words), 0, false)]);

    const given = await gateway(begin);
    const abort = new AbortController();
    const reader = (
      await given.asked.ask(`${given.url}/chat/completions`, asking(), { signal: abort.signal })
    ).body?.getReader();
    await reader?.read();
    expect(given.events).toEqual([]);
    abort.abort();
    expect(given.events).toEqual([use(prompt, estimate(words), 0, false)]);

    const dying = await gateway(begin);
    const left = (await dying.asked.ask(`${dying.url}/chat/completions`)).body?.getReader();
    await left?.read();
    await dying.asked.close();
    expect(dying.events).toEqual([use(prompt, estimate(words), 0, false)]);
  });

  test("one that was given up before it was answered", async () => {
    const { promise: reached, resolve } = Promise.withResolvers<void>();
    const { asked, url, events } = await gateway(() => resolve());
    const abort = new AbortController();
    const call = asked.ask(`${url}/chat/completions`, asking(), { signal: abort.signal });
    await reached;
    abort.abort();
    await expect(call).rejects.toThrow("aborted");
    expect(events).toEqual([use(prompt, 0, 0, false)]);
  });

  test("a prompt that Anthropic has counted is not counted again when its answer is cut off", async () => {
    const { asked, url, events } = await gateway((_, response) => {
      const start = { type: "message_start", message: { usage: { ...MESSAGES, output_tokens: 1 } } };
      response.write(stream([start, { delta: { text: "nine bytes" } }]), () => response.destroy());
    });
    await expect(asked.ask(`${url}/messages`).then((answer) => answer.text())).rejects.toThrow("terminated");
    expect(events).toEqual([use(1000, estimate("nine bytes"), 600, false)]);
  });
});

describe("the runtime's report", () => {
  test("is not booked, and nothing is said where it is right", async () => {
    const { asked, url, events, logged } = await gateway(json({ usage: CHAT }));
    await (await asked.ask(`${url}/chat/completions`)).text();
    asked.reported(report(1000));
    asked.compare();
    expect([events, logged]).toEqual([[use(1000, 10, 600)], []]);
  });

  test("is said to differ once, at the end", async () => {
    const { asked, url, events, logged } = await gateway(json({ usage: CHAT }));
    await (await asked.ask(`${url}/chat/completions`)).text();
    asked.reported(report(1));
    asked.compare();
    expect(events.slice(1)).toEqual([{ type: "usage_differs", counted: 1010, reported: 11 }]);
    expect(logged).toEqual([{ session: "s", counted: 1010, reported: 11 }]);
  });
});

test("an answer without end is broken off, and counted by its bytes", async () => {
  const block = Buffer.from(`data: {"choices":[{"delta":{"content":"${"x".repeat(1024 * 1024)}"}}]}\n\n`);
  const { asked, url, booked } = await gateway((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const more = (): void => {
      if (!response.destroyed) response.write(block, more);
    };
    more();
  });
  const answer = await asked.ask(`${url}/chat/completions`);
  let received = 0;
  await expect(
    (async () => {
      for await (const chunk of answer.body ?? []) received += chunk.byteLength;
    })(),
  ).rejects.toThrow("too long");
  expect(received).toBeLessThanOrEqual(64 * 1024 * 1024);
  expect(booked()).toMatchObject([{ answered: false }]);
  expect(booked()[0]?.outputTokens).toBeGreaterThan(20 * 1024 * 1024);
});
