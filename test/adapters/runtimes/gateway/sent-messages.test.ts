import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { SentMessages } from "../../../../src/adapters/runtimes/gateway/sent-messages.ts";

const user = (content: string) => ({ role: "user", content });
const called = { role: "assistant", content: null, tool_calls: [{ id: "1" }] };
const answer = (content: string) => ({ role: "tool", tool_call_id: "1", content });

function place() {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-sent-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const warnings: object[] = [];
  const warn = (fields: object) => void warnings.push(fields);
  const file = join(directory, "sent");
  const log = { debug() {}, info() {}, warn, error() {} };
  return { file, directory, warnings, log, open: () => SentMessages.open(file, log) };
}

const lines = (file: string): unknown[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line));

test("what was sent is in the file, message by message, and a later process continues with it", async () => {
  const { file, open } = place();
  const first = await open();
  const begun = [user("Go."), called, answer("no: try another")];
  expect(first.next({ model: "m", messages: begun.slice(0, 1), tools: [] })).toEqual({
    model: "m",
    messages: begun.slice(0, 1),
    tools: [],
  });
  first.next({ messages: begun });
  await first.written();
  expect(lines(file)).toEqual(begun);
  const second = await open();
  const read = [user("Go."), called, { ...answer("no"), __copilotMessageSource: "x" }, user("Continue.")];
  expect(second.next({ messages: read })).toEqual({ messages: [...begun, user("Continue.")] });
  // Later requests of this process repeat what the runtime has read.
  expect(second.next({ messages: [...read, user("More.")] })).toEqual({
    messages: [...begun, user("Continue."), user("More.")],
  });
  await second.written();
  expect(lines(file)).toEqual([...begun, user("Continue."), user("More.")]);
});

test("a conversation that begins again replaces what the file holds", async () => {
  const { file, open } = place();
  const first = await open();
  first.next({ messages: [user("Go."), called, answer("yes")] });
  first.next({ messages: [user("A summary of it.")] });
  await first.written();
  expect(lines(file)).toEqual([user("A summary of it.")]);
  const second = await open();
  expect(second.next({ messages: [user("Another.")] })).toEqual({ messages: [user("Another.")] });
  await second.written();
  expect(lines(file)).toEqual([user("Another.")]);
});

test.each([
  ["cut off", '{"role":"user","content":"Go."}\n{"role":"us'],
  ["no JSON", "Go.\n"],
  ["empty", ""],
])("a file that is %s is replaced", async (_, content) => {
  const { file, open } = place();
  writeFileSync(file, content);
  const messages = [user("Go."), called, answer("yes")];
  const kept = await open();
  expect(kept.next({ messages })).toEqual({ messages });
  await kept.written();
  expect(lines(file)).toEqual(messages);
});

test("a link is neither read nor written through", async () => {
  const { file, directory, open } = place();
  const outside = join(directory, "outside");
  writeFileSync(outside, `${JSON.stringify(user("Go."))}\n`);
  symlinkSync(outside, file);
  const kept = await open();
  kept.next({ messages: [user("Other.")] });
  await kept.written();
  expect(lines(outside)).toEqual([user("Go.")]);
  expect(lines(file)).toEqual([user("Other.")]);
});

test("a link that takes the place of the file later is not written through", async () => {
  const { file, directory, warnings, open } = place();
  const outside = join(directory, "outside");
  const kept = await open();
  kept.next({ messages: [user("Go.")] });
  await kept.written();
  rmSync(file);
  writeFileSync(outside, "");
  symlinkSync(outside, file);
  kept.next({ messages: [user("Go."), called] });
  await kept.written();
  expect(readFileSync(outside, "utf8")).toBe("");
  expect(warnings).toEqual([{ error: expect.stringContaining("ELOOP") }]);
});

test("after a write that failed the next one keeps all messages", async () => {
  const { file, directory, warnings, open } = place();
  const kept = await open();
  const messages = [user("Go."), called, answer("yes")];
  kept.next({ messages: messages.slice(0, 1) });
  await kept.written();
  rmSync(directory, { recursive: true });
  kept.next({ messages: messages.slice(0, 2) });
  await kept.written();
  mkdirSync(directory);
  kept.next({ messages });
  await kept.written();
  expect(warnings).toHaveLength(1);
  expect(lines(file)).toEqual(messages);
});

test("a file that cannot be written is told, and the request is sent all the same", async () => {
  const { directory, warnings, open } = place();
  const kept = await open();
  rmSync(directory, { recursive: true });
  expect(kept.next({ messages: [user("Go.")] })).toEqual({ messages: [user("Go.")] });
  await kept.written();
  expect(warnings).toEqual([{ error: expect.stringContaining("ENOENT") }]);
});

test("the items of the responses API get the plain form and are not kept", async () => {
  const { open } = place();
  const input = [{ type: "function_call_output", output: "text" }];
  const kept = await open();
  const built = input.map((item) => ({ ...item, __copilotMessageSource: "tool" }));
  expect(kept.next({ input: built, store: false })).toEqual({ input, store: false });
  expect(kept.next({ input: "one text" })).toEqual({ input: "one text" });
});
