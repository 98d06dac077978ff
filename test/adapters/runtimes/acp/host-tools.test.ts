import { setImmediate as nextTurn } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, it, onTestFinished } from "vitest";
import { AgentCalls } from "../../../../src/adapters/runtimes/acp/agent-calls.ts";
import { createHostTools } from "../../../../src/adapters/runtimes/acp/host-tools.ts";
import type { CallEnd, ToldCall } from "../../../../src/adapters/runtimes/gateway/session-gateway.ts";
import type { HostTool, RuntimeEvent, ToolGate } from "../../../../src/domain/ports/agent-runtime.ts";
import { createManualClock } from "../copilot/manual-clock.ts";

const settled = async () => {
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
};

const said =
  (ok: boolean, text: string): HostTool["call"] =>
  () =>
    Promise.resolve({ ok, text });

/** Our tools, reached by the client of the official SDK. `announced` are the calls that the model has made. */
async function rig({ gate = () => ({ allow: true }) }: { gate?: ToolGate } = {}) {
  const clock = createManualClock();
  const ran: [string, unknown][] = [];
  const asked: unknown[] = [];
  const ends: [string, CallEnd][] = [];
  const events: RuntimeEvent[] = [];
  const announced: ToldCall[] = [];
  const happened: string[] = [];
  const work: { signal: AbortSignal; end: (text: string) => void }[] = [];
  const tool = (name: string, call: HostTool["call"], terminal = false): HostTool => ({
    name,
    terminal,
    description: `The tool ${name}.`,
    parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    call: (args, context) => {
      ran.push([name, args]);
      return call(args, context);
    },
  });
  const log = {
    debug() {},
    info() {},
    warn() {},
    error: (_: object, text: string) => void happened.push(text),
  };
  const calls = new AgentCalls(
    {
      sessionId: "s",
      gate: (call) => {
        asked.push(call);
        return gate(call);
      },
      onEvent: (event) => void events.push(event),
    },
    {
      log,
      gateway: {
        calls: () => announced.filter(({ id }) => !ends.some(([ended]) => ended === id)),
        told: (id, end) => void ends.push([id, end]),
      },
    },
  );
  const tools = createHostTools({
    calls,
    clock,
    callMs: 60_000,
    tools: [
      tool("note", said(true, "noted")),
      tool("refuse", said(false, "refused, for a reason")),
      tool("finish", said(true, "finished"), true),
      tool("broken", () => Promise.reject(new Error("it broke"))),
      tool("slow", (_, { signal }) => {
        const { promise, resolve } = Promise.withResolvers<{ ok: boolean; text: string }>();
        work.push({ signal, end: (text) => resolve({ ok: true, text }) });
        return promise;
      }),
    ],
    listed: () => void happened.push("listed"),
    terminal: () => void happened.push("terminal"),
    limit: () => void happened.push("limit"),
    answering: async () => void happened.push("answering"),
  });
  const client = new Client({ name: "an agent", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL("http://flotilla.invalid/"), {
    fetch: (url, init) => tools.handle(new Request(url, init)),
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    clock,
    ran,
    asked,
    ends,
    events,
    happened,
    work,
    tools,
    announce: (...more: ToldCall[]) => void announced.push(...more),
    /** Sends a call of `slow` whose connection is cut when `signal` fires. */
    cut: (signal: AbortSignal) =>
      tools
        .handle(
          new Request("http://flotilla.invalid/", {
            method: "POST",
            headers: {
              "content-type": "application/json",
              accept: "application/json, text/event-stream",
            },
            body: JSON.stringify({
              jsonrpc: "2.0",
              id: 7,
              method: "tools/call",
              params: { name: "slow", arguments: { n: 1 } },
            }),
            signal,
          }),
        )
        .then((answer) => answer.text())
        .catch(() => undefined),
    call: async (name: string, args: Record<string, unknown> = {}) => {
      const { content, isError = false } = await client.callTool({ name, arguments: args });
      return { isError, text: content.map((part) => (part.type === "text" ? part.text : "")).join() };
    },
  };
}

it("lists our tools as they are, and tells that it did", async () => {
  const { client, happened } = await rig();
  const { tools } = await client.listTools();
  expect(happened).toEqual(["listed"]);
  expect(tools.map(({ name }) => name)).toEqual(["note", "refuse", "finish", "broken", "slow"]);
  expect(tools[0]).toMatchObject({
    description: "The tool note.",
    inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  });
});

it("runs a call that the model made, with its arguments as they are, and tells its end by the model's id", async () => {
  const { call, announce, ran, ends, asked, events, happened } = await rig();
  announce({ id: "c1", name: "note", args: { n: "not a number" } });
  expect(await call("note", { n: "not a number" })).toEqual({ isError: false, text: "noted" });
  expect(ran).toEqual([["note", { n: "not a number" }]]);
  expect(asked).toEqual([{ toolName: "note", args: { n: "not a number" } }]);
  expect(ends).toEqual([["c1", { ok: true, denied: false, output: "noted" }]]);
  expect(events).toEqual([]);
  expect(happened).toEqual(["answering"]);
});

it("tells failures of a tool, and one that throws, as the model reads them", async () => {
  const { call, ends, announce } = await rig();
  announce({ id: "c1", name: "refuse", args: {} }, { id: "c2", name: "broken", args: {} });
  expect(await call("refuse")).toEqual({ isError: true, text: "refused, for a reason" });
  expect(await call("broken")).toEqual({ isError: true, text: "The tool failed: it broke" });
  expect(ends.map(([id, { ok, denied }]) => [id, ok, denied])).toEqual([
    ["c1", false, false],
    ["c2", false, false],
  ]);
});

it("asks the gate once for each call, though several are alike and come at once", async () => {
  const { call, announce, ran, asked, ends } = await rig();
  for (const id of ["c1", "c2", "c3"]) announce({ id, name: "note", args: { n: 1 } });
  await Promise.all([call("note", { n: 1 }), call("note", { n: 1 }), call("note", { n: 1 })]);
  expect(ran).toHaveLength(3);
  expect(asked).toHaveLength(3);
  expect(ends.map(([id]) => id).toSorted()).toEqual(["c1", "c2", "c3"]);
});

it("does not run a denied call, and gives the model the reason", async () => {
  const { call, announce, ran, ends, happened } = await rig({
    gate: () => ({ allow: false, reason: "not on a Sunday", endExchange: false }),
  });
  announce({ id: "c1", name: "note", args: {} });
  expect(await call("note")).toEqual({ isError: true, text: "not on a Sunday" });
  expect(ran).toEqual([]);
  expect(ends).toEqual([["c1", { ok: false, denied: true, output: "not on a Sunday" }]]);
  expect(happened).not.toContain("limit");
});

it("ends the exchange where the gate says so, and denies when the gate throws", async () => {
  let asked = 0;
  const { call, ran, happened } = await rig({
    gate: () => {
      asked += 1;
      if (asked === 1) return { allow: false, reason: "limit of 3 calls", endExchange: true };
      throw new Error("database is locked");
    },
  });
  await call("note");
  expect(happened).toContain("limit");
  expect((await call("note")).text).toBe("The call could not be checked, so it was not made.");
  expect(ran).toEqual([]);
  expect(happened).toContain("tool call denied: the gate failed");
});

it("tells a call itself that the model has not made, and asks the gate all the same", async () => {
  const { call, events, asked, ends } = await rig();
  await call("note", { n: 7 });
  expect(asked).toHaveLength(1);
  expect(events).toEqual([
    {
      type: "tool_started",
      toolCallId: expect.stringMatching(/^unannounced-/),
      toolName: "note",
      args: { n: 7 },
    },
    {
      type: "tool_ended",
      toolCallId: expect.stringMatching(/^unannounced-/),
      ok: true,
      denied: false,
      output: "noted",
    },
  ]);
  expect(ends).toEqual([]);
});

it("says that a terminal tool succeeded before its answer is out", async () => {
  const { call, happened } = await rig();
  await call("finish");
  expect(happened).toEqual(["terminal", "answering"]);
});

it("knows no other tool", async () => {
  const { call, asked } = await rig();
  expect(await call("push")).toEqual({ isError: true, text: "There is no tool push for this role." });
  expect(asked).toEqual([]);
});

it("answers a long call before the agent gives up, and the next one waits for the same run", async () => {
  const { call, announce, clock, ran, work, asked, ends } = await rig();
  for (const id of ["c1", "c2", "c3", "c4"]) announce({ id, name: "slow", args: { n: 1 } });
  const first = call("slow", { n: 1 });
  await settled();
  clock.pass(50_000);
  expect(await first).toMatchObject({
    isError: false,
    text: expect.stringContaining("slow is still running"),
  });
  const second = call("slow", { n: 1 });
  await settled();
  clock.pass(50_000);
  expect((await second).text).toContain("still running");
  const third = call("slow", { n: 1 });
  await settled();
  work[0]?.end("done at last");
  expect(await third).toEqual({ isError: false, text: "done at last" });
  expect([ran.length, asked.length]).toEqual([1, 1]);
  expect(ends.map(([id]) => id)).toEqual(["c1", "c2", "c3"]);

  const other = call("slow", { n: 1 });
  await settled();
  work[1]?.end("again");
  expect((await other).text).toBe("again");
  expect([ran.length, asked.length]).toEqual([2, 2]);
});

it.each([true, false])(
  "runs a call once whose connection was cut and that is sent again, before it ends: %s",
  async (isBefore) => {
    const { cut, call, ran, asked, work } = await rig();
    const connection = new AbortController();
    void cut(connection.signal);
    await settled();
    connection.abort();
    await settled();
    if (!isBefore) work[0]?.end("done");
    await settled();
    const again = call("slow", { n: 1 });
    await settled();
    work[0]?.end("done");
    expect((await again).text).toBe("done");
    expect([ran.length, asked.length]).toEqual([1, 1]);
    const later = call("slow", { n: 1 });
    await settled();
    work[1]?.end("anew");
    expect((await later).text).toBe("anew");
  },
);

it("does not run a call whose connection is cut before the gate has answered", async () => {
  const { promise: decided, resolve: decide } = Promise.withResolvers<{ allow: true }>();
  const { cut, announce, ran, ends } = await rig({ gate: () => decided });
  announce({ id: "c1", name: "slow", args: { n: 1 } });
  const connection = new AbortController();
  void cut(connection.signal);
  await settled();
  connection.abort();
  decide({ allow: true });
  await settled();
  expect(ran).toEqual([]);
  expect(ends).toEqual([
    ["c1", { ok: false, denied: false, output: "The agent gave the call up before it was made." }],
  ]);
});

it("neither tells nor runs a call whose arguments are nested too deeply", async () => {
  const { tools, events, asked, ran } = await rig();
  const args = `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`;
  const answer = await tools.handle(
    new Request("http://flotilla.invalid/", {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"note","arguments":${args}}}`,
    }),
  );
  expect(await answer.text()).toContain("nested more than 100 levels deep. Flatten them.");
  expect([events, asked, ran]).toEqual([[], [], []]);
});

it("does not join calls that run at the same time, nor those with other arguments", async () => {
  const { call, clock, work } = await rig();
  const [one, other] = [call("slow", { n: 1 }), call("slow", { n: 1 })];
  await settled();
  clock.pass(50_000);
  await Promise.all([one, other]);
  const third = call("slow", { n: 2 });
  await settled();
  expect(work).toHaveLength(3);
  work[2]?.end("the other");
  expect((await third).text).toBe("the other");
});

it("aborts what is at work, and forgets it", async () => {
  const { call, clock, work, tools } = await rig();
  const left = call("slow", {});
  await settled();
  clock.pass(50_000);
  await left;
  tools.abort();
  expect(work[0]?.signal.aborted).toBe(true);
  const next = call("slow", {});
  await settled();
  expect(work).toHaveLength(2);
  work[1]?.end("anew");
  expect((await next).text).toBe("anew");
});
