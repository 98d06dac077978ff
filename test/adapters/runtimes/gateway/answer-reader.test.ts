import { expect, test } from "vitest";
import { AnswerReader } from "../../../../src/adapters/runtimes/gateway/answer-reader.ts";
import { CallsUnderWay } from "../../../../src/adapters/runtimes/gateway/calls-under-way.ts";
import { CHAT, estimate } from "./gateway-rig.ts";

const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const piece = (content: string) => event({ choices: [{ delta: { content } }] });

function read(chunks: readonly (string | Uint8Array)[], whole = true) {
  const reader = new AnswerReader();
  for (const chunk of chunks) reader.add(Buffer.from(chunk));
  return reader.use(7, whole);
}

test("a character that comes in two chunks is one", () => {
  const words = "käse 漢字";
  const bytes = [...Buffer.from(piece(words))].map((byte) => Buffer.of(byte));
  expect(read(bytes).outputTokens).toBe(estimate(words));
});

test("a count that came before an answer was cut off is no less than its text, and is not the provider's last word", () => {
  const words = "many words of an answer";
  const cut = read([piece(words), event({ usage: { ...CHAT, completion_tokens: 1 } })], false);
  expect(cut).toMatchObject({ outputTokens: estimate(words), said: false });
  expect(read([piece(words), event({ usage: CHAT })])).toMatchObject({ outputTokens: 10, said: true });
});

test("a provider that says that a text took no tokens is not believed", () => {
  const words = "many words of an answer";
  const lied = read([piece(words), event({ usage: { ...CHAT, prompt_tokens: 0, completion_tokens: 0 } })]);
  expect(lied).toMatchObject({ inputTokens: 7, outputTokens: estimate(words), said: false });
  expect(read([event({ usage: { ...CHAT, completion_tokens: 0 } })])).toMatchObject({ outputTokens: 0 });
});

test("an end that is too long to keep is counted by its bytes, and no more of it is kept", () => {
  const block = Buffer.alloc(9 * 1024 * 1024, "x");
  const reader = new AnswerReader();
  for (const chunk of [block, block, Buffer.from(`\n\n${event({ usage: CHAT })}`)]) reader.add(chunk);
  const { said, outputTokens } = reader.use(7, true);
  expect(said).toBe(false);
  expect(outputTokens).toBeGreaterThan(block.length / 2);
});

test("a call is booked once, whatever ends it after that", () => {
  const booked: object[] = [];
  const call = new CallsUnderWay({ onEvent: (one) => void booked.push(one) }, () => undefined).begin(
    7,
    "own",
  );
  call.lost();
  call.lost();
  call.pass(null, new AbortController().signal);
  expect(booked).toHaveLength(1);
});

const geminiPart = (text: string, usageMetadata?: object) =>
  event({ candidates: [{ content: { parts: [{ text }] } }], usageMetadata });

test("what Gemini says of a stream is read, with its thoughts, and its text where it says nothing", () => {
  const last = {
    promptTokenCount: 1000,
    candidatesTokenCount: 4,
    thoughtsTokenCount: 6,
    cachedContentTokenCount: 600,
  };
  expect(read([geminiPart("a", { promptTokenCount: 1000 }), geminiPart("b", last)])).toEqual({
    inputTokens: 1000,
    outputTokens: 10,
    cachedTokens: 600,
    said: true,
  });
  expect(read([geminiPart("b", { ...last, candidatesTokenCount: undefined })]).outputTokens).toBe(6);
  expect(read([geminiPart("some words")])).toMatchObject({
    outputTokens: estimate("some words"),
    said: false,
  });
});

test("an answer of which a part was too long to read is counted by all its bytes", () => {
  const reader = new AnswerReader();
  const block = Buffer.alloc(9 * 1024 * 1024, "x");
  for (const chunk of [Buffer.from(piece("small")), Buffer.from("data: "), block, block]) reader.add(chunk);
  expect(reader.use(7, true).outputTokens).toBeGreaterThan((2 * block.length) / 4);
});
