import { describe, expect, test } from "vitest";
import { CHAT, gateway, json } from "./gateway-rig.ts";

const TEXT = 'Temperature, \\u00e9, \\u2028 and "temperature":1.';
const APIS = [
  [
    "chat/completions",
    {
      messages: [{ role: "user", content: TEXT }],
      stream: true,
      stream_options: { include_usage: true },
      tools: [],
    },
  ],
  ["responses", { input: [{ role: "user", content: TEXT }], stream: true, 1: "first" }],
  ["messages", { system: TEXT, max_tokens: 9, messages: [], metadata: { temperature: 0.7 } }],
] as const;

const asking = (temperature: string) => `{"model":"own","temperature":${temperature},"messages":[]}`;

describe("the temperature of a session", () => {
  test.each(APIS)("is in each request to %s, and all else stays byte by byte", async (path, more) => {
    const { asked, url, bodies } = await gateway(json({ usage: CHAT }), { temperature: 0.2 });
    const text = JSON.stringify({ model: "own", ...more });
    for (let call = 0; call < 2; call += 1) await (await asked.ask(`${url}/${path}`, text)).text();
    const sent = `${text.slice(0, -1)},"temperature":0.2}`;
    expect(bodies).toEqual([sent, sent]);
  });

  test("takes the place of the one that the runtime sends", async () => {
    const { asked, url, bodies } = await gateway(json({ usage: CHAT }), { temperature: 0 });
    for (const theirs of ["1", "null", '"hot"', "1e999", '1,"temperature":2'])
      await (await asked.ask(`${url}/chat/completions`, asking(theirs))).text();
    expect(new Set(bodies)).toEqual(new Set([asking("0")]));
  });

  test.each(APIS)("that is not set leaves a request to %s untouched", async (path, more) => {
    const { asked, url, bodies } = await gateway(json({ usage: CHAT }));
    const texts = [
      { model: "own", ...more },
      { model: "own", temperature: 1, ...more },
    ].map((body) => JSON.stringify(body));
    for (const text of texts) await (await asked.ask(`${url}/${path}`, text)).text();
    expect(bodies).toEqual(texts);
  });

  test("passes on what the provider says against it", async () => {
    const fault = { error: { message: "Unsupported value: 'temperature'", param: "temperature" } };
    const { asked, url, booked } = await gateway(
      (_, response) => void response.writeHead(400).end(JSON.stringify(fault)),
      { temperature: 2 },
    );
    const answer = await asked.ask(`${url}/chat/completions`);
    expect([answer.status, await answer.json()]).toEqual([400, fault]);
    expect(booked()).toEqual([]);
  });
});

describe("the effort of a session", () => {
  test.each([
    ["openai", "chat/completions", { reasoning_effort: "low" }],
    ["anthropic", "messages", { output_config: { effort: "low" } }],
  ] as const)("of %s is in each request to %s, and all else stays", async (type, path, effort) => {
    const { asked, url, bodies } = await gateway(json({ usage: CHAT }), { type, effort: "low" });
    await (await asked.ask(`${url}/${path}`, '{"model":"own","messages":[]}')).text();
    expect(bodies.map((body): unknown => JSON.parse(body))).toEqual([
      { model: "own", messages: [], ...effort },
    ]);
  });
});
