import { expect, test } from "vitest";
import { GatedCalls } from "../../../../src/adapters/runtimes/copilot/gated-calls.ts";
import type { RuntimeEvent, ToolCall, ToolGateAnswer } from "../../../../src/domain/ports/agent-runtime.ts";

const COMMIT: ToolCall = { toolName: "commit", args: { message: "m", all: true } };
const STATUS: ToolCall = { toolName: "status", args: {} };
const DENIED: ToolGateAnswer = { allow: false, reason: "plan first", endExchange: true };
const ALLOWED: ToolGateAnswer = { allow: true };

const tool = (name: string) => ({
  name,
  description: name,
  parameters: {},
  terminal: false,
  call: () => Promise.resolve({ ok: true, text: "done" }),
});

function session(answer: () => ToolGateAnswer = () => ALLOWED) {
  const asked: string[] = [];
  const events: RuntimeEvent[] = [];
  const said: string[] = [];
  const calls = new GatedCalls(
    {
      gate: (call) => {
        asked.push(call.toolName);
        return answer();
      },
      tools: [tool("commit"), tool("status")],
      onEvent: (event) => void events.push(event),
    },
    { limit: () => said.push("limit"), fault: (name, detail) => said.push(`${name}: ${detail}`) },
  );
  return { calls, asked, events, said };
}

test("a call that the gate let pass runs, and the gate is asked once", async () => {
  const { calls, asked, events } = session();
  calls.announce("1", COMMIT);
  expect(await calls.ask(COMMIT)).toBeUndefined();
  // In another order of its keys.
  expect(await calls.refusal("1", { toolName: "commit", args: { all: true, message: "m" } })).toBeUndefined();
  expect([asked, events]).toEqual([["commit"], []]);
});

test("what the gate let pass for a tool of the runtime's own lets no tool of ours run", async () => {
  const own: ToolCall = { toolName: "bash", args: { command: "ls" } };
  const { calls, asked } = session();
  expect(await calls.ask(own)).toBeUndefined();
  expect(await calls.refusal("1", own)).toBeUndefined();
  expect(asked).toEqual(["bash", "bash"]);
});

test("an announced call that the gate was not asked about is on record already, and is asked about", async () => {
  const { calls, asked, events } = session();
  calls.announce("1", COMMIT);
  expect(await calls.refusal("1", COMMIT)).toBeUndefined();
  expect([asked, events]).toEqual([["commit"], []]);
});

test("what was announced in an exchange says nothing in the next one", async () => {
  const { calls, events } = session();
  calls.announce("1", STATUS);
  calls.forget();
  expect(await calls.refusal("1", COMMIT)).toBeUndefined();
  expect(events).toEqual([{ type: "tool_started", toolCallId: "1", ...COMMIT }]);
});

test("a call that nobody asked about is asked about when it is to run, and goes on record", async () => {
  const { calls, asked, events, said } = session(() => DENIED);
  expect(await calls.refusal("forged", COMMIT)).toBe("plan first");
  expect(asked).toEqual(["commit"]);
  expect(said).toEqual(["limit"]);
  expect(events).toEqual([{ type: "tool_started", toolCallId: "forged", ...COMMIT }]);
});

test("a call that the gate denied does not run when it comes all the same", async () => {
  const { calls, asked } = session(() => DENIED);
  calls.announce("1", COMMIT);
  expect(await calls.ask(COMMIT)).toMatchObject({ permissionDecisionReason: "plan first" });
  expect(await calls.refusal("1", COMMIT)).toBe("plan first");
  expect(asked).toEqual(["commit", "commit"]);
});

test("an id runs once, also while it is being asked about; announced again it is another call", async () => {
  const { calls, asked } = session();
  const both = await Promise.all([calls.refusal("1", COMMIT), calls.refusal("1", COMMIT)]);
  expect(both).toEqual([undefined, "This call has run already: make another one."]);
  expect(await calls.refusal("1", STATUS)).toContain("already");
  expect(asked).toEqual(["commit"]);
  calls.announce("1", COMMIT);
  expect(await calls.refusal("1", COMMIT)).toBeUndefined();
  expect(asked).toEqual(["commit", "commit"]);
});

test.each<[string, ToolCall]>([
  ["another tool", { ...COMMIT, toolName: "status" }],
  ["other arguments", { ...COMMIT, args: { message: "another", all: true } }],
])("an id that was announced for %s runs nothing", async (_, announced) => {
  const { calls, asked } = session();
  calls.announce("1", announced);
  expect(await calls.refusal("1", COMMIT)).toBe("Another call was announced by this id.");
  expect(asked).toEqual([]);
});

test("what the gate let pass holds for that tool and those arguments, once, and no longer than the exchange", async () => {
  const { calls, asked } = session();
  await calls.ask(COMMIT);
  await calls.refusal("1", { ...COMMIT, args: { message: "another" } });
  expect(asked).toHaveLength(2);
  await calls.refusal("2", COMMIT);
  expect(asked).toHaveLength(2);
  await calls.refusal("3", COMMIT);
  expect(asked).toHaveLength(3);
  await calls.ask(COMMIT);
  calls.forget();
  await calls.refusal("4", COMMIT);
  expect(asked).toHaveLength(5);
});

test("a gate that fails lets nothing run", async () => {
  const { calls, said } = session(() => {
    throw new Error("database is locked");
  });
  expect(await calls.refusal("1", COMMIT)).toContain("could not be checked");
  expect(said).toEqual(["commit: database is locked"]);
});
