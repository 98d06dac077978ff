import { expect, it } from "vitest";
import { chat } from "../../../../src/adapters/runtimes/gateway/dialects/chat.ts";
import { tellAnswer } from "../../../../src/adapters/runtimes/gateway/told-answer.ts";

const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const piece = (delta: object, finish_reason: string | null = null) =>
  event({ choices: [{ index: 0, delta, finish_reason }] });
const TEXT = piece({ content: "I note." });
const CALL = piece({ tool_calls: [{ index: 0, id: "1", function: { name: "note", arguments: "{}" } }] });
const MORE = piece({ content: "More." });
const STOP = piece({}, "tool_calls");

/** An answer that comes as the test sends it, and what is told of it and passed on. */
function passing(contentType = "text/event-stream") {
  const happened: string[] = [];
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
    cancel() {
      cancelled = true;
    },
  });
  const answer = new Response(body, { headers: { "content-type": contentType, other: "x" } });
  const told = tellAnswer(answer, chat, {
    part: (part) => happened.push(part.type === "text" ? `text ${part.text}` : "sign"),
    end: (parts, how) =>
      happened.push(
        `end ${parts.text()} ${parts
          .calls()
          .map(({ name }) => name)
          .join()} ${how}`,
      ),
    instead: () => null,
  });
  const reader = told.body?.getReader();
  const read = async () => {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
    if (done) return "done";
    happened.push("passed");
    return Buffer.from(value ?? []).toString();
  };
  return {
    happened,
    told,
    read,
    send: (text: string) => controller?.enqueue(Buffer.from(text)),
    end: () => controller?.close(),
    breakOff: () => controller?.error(new Error("broken")),
    cancel: () => reader?.cancel(),
    wasCancelled: () => cancelled,
  };
}

const rest = async (read: () => Promise<string>) => {
  let text = "";
  for (let next = await read(); next !== "done"; next = await read()) text += next;
  return text;
};

it("a text is passed on at once, and nothing from the first call on before all of it is told", async () => {
  const { send, read, end, happened, told } = passing();
  expect([told.status, told.headers.get("other")]).toEqual([200, "x"]);
  send(TEXT);
  expect(await read()).toBe(TEXT);
  const next = rest(read);
  for (const chunk of [CALL, MORE, STOP]) send(chunk);
  end();
  expect(await next).toBe(CALL + MORE + STOP);
  expect(happened).toEqual([
    "text I note.",
    "passed",
    "sign",
    "text More.",
    "end I note.More. note whole",
    "passed",
    "passed",
    "passed",
  ]);
});

it("the end of an answer without calls is told before the agent has it, which may then go away", async () => {
  const { send, read, end, happened, cancel } = passing();
  send(TEXT);
  await read();
  send(piece({}, "stop"));
  end();
  await read();
  await cancel();
  expect(happened.slice(-2)).toEqual(["end I note.  whole", "passed"]);
});

it("an answer that does not stream is told before any of it is passed on", async () => {
  const { send, read, end, happened } = passing("application/json; charset=utf-8");
  const whole = JSON.stringify({ choices: [{ message: { content: "All." }, finish_reason: "stop" }] });
  send(whole.slice(0, 20));
  send(whole.slice(20));
  end();
  expect(await rest(read)).toBe(whole);
  expect(happened.slice(0, 2)).toEqual(["text All.", "end All.  whole"]);
});

it("one that breaks off is told as cut, and what was held back is not passed on", async () => {
  const { send, read, breakOff, happened } = passing();
  send(TEXT);
  await read();
  const next = read();
  send(CALL);
  await expect.poll(() => happened.at(-1)).toBe("sign");
  breakOff();
  await expect(next).rejects.toThrow("broken");
  expect(happened.at(-1)).toBe("end I note. note cut");
});

it("one whose agent goes away is told as given up once, and is", async () => {
  const { send, read, cancel, happened, wasCancelled } = passing();
  send(TEXT);
  await read();
  await cancel();
  expect([happened.at(-1), happened.filter((one) => one.startsWith("end")).length]).toEqual([
    "end I note.  given_up",
    1,
  ]);
  expect(wasCancelled()).toBe(true);
});

it("an answer without a body has ended", () => {
  const ends: string[] = [];
  tellAnswer(new Response(null), chat, {
    part: () => undefined,
    end: (_, how) => void ends.push(how),
    instead: () => null,
  });
  expect(ends).toEqual(["whole"]);
});

it("what is too long to read is passed on, and not kept", async () => {
  const { send, read, end, happened } = passing("application/json");
  const block = "x".repeat(9 * 1024 * 1024);
  send('{"a":"');
  send(block);
  send(block);
  const next = await read();
  expect(next.length).toBeLessThan(10);
  end();
  expect((await rest(read)).length).toBe(2 * block.length);
  expect(happened.at(-1)).toBe("end   whole");
});
