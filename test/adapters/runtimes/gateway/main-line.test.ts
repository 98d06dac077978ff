import { appendFileSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { APIS, scripted, serving, talking } from "./session-rig.ts";
import { TalkingAgent } from "./talking-agent.ts";

const note = (args: Record<string, unknown> = {}) => ({ tool: "note", args });

describe.each(APIS)("the main line of an agent that speaks %s", (api) => {
  const start = async (steps: Parameters<typeof scripted>[0], more: Parameters<typeof talking>[2] = {}) => {
    const model = await scripted(steps);
    return { model, ...(await talking(api, model.origin, more)) };
  };

  it("is told: turns, usage, messages, calls with our names, and what the model reads of them", async () => {
    const { agent, events, types, model, gateway } = await start([
      { say: "I start.", call: [note({ text: "a" }), { tool: "bash", args: { command: "ls" } }] },
      { say: "Done." },
    ]);
    gateway.begin("do the work");
    const { calls } = await agent.says("do the work").asks();
    expect(gateway.calls().map(({ name, args }) => [name, args])).toEqual([
      ["note", { text: "a" }],
      ["bash", { command: "ls" }],
    ]);
    const [first] = gateway.calls();
    gateway.told(first?.id ?? "", { ok: true, denied: false, output: "noted" });
    gateway.told(first?.id ?? "", { ok: false, denied: false, output: "again" });
    expect(gateway.calls().map(({ name }) => name)).toEqual(["bash"]);
    expect(gateway.answered()).toEqual([]);
    await agent.results(calls, "noted", "a.txt").asks();
    expect(gateway.answered()).toEqual(calls.flatMap(({ id }) => id ?? []));
    expect(types()).toEqual([
      "turn_started",
      "usage",
      "message",
      "tool_started",
      "tool_started",
      "tool_ended",
      "tool_ended",
      "turn_ended",
      "turn_started",
      "usage",
      "message",
      "turn_ended",
    ]);
    const ended = events.filter(({ type }) => type === "tool_ended");
    expect(ended).toMatchObject([
      { ok: true, denied: false, output: "noted" },
      { ok: true, denied: false, output: "a.txt" },
    ]);
    expect(gateway.lastMessage()).toBe("Done.");
    expect(gateway.failure()).toBeNull();
    expect(events.filter(({ type }) => type === "usage")).toMatchObject([
      { model: "own", answered: true },
      { model: "own", answered: true },
    ]);
    expect(events.find(({ type }) => type === "context")).toMatchObject({ tokenLimit: 1000 });
    expect(model.requests.map((request) => request.model)).toEqual(["own", "own"]);
    expect(model.requests.map(({ authorization }) => authorization)).toEqual(
      Array.from({ length: 2 }, () => expect.stringMatching(/^(?:Bearer )?the-real-key$/)),
    );
  });

  it("tells a message in pieces before it tells it whole", async () => {
    const { agent, events } = await start([{ say: "I have looked at everything." }]);
    await agent.says("do the work").asks();
    const whole = events.findIndex(({ type }) => type === "message");
    const pieces = events
      .slice(0, whole)
      .flatMap((event) => (event.type === "message_delta" ? event.text : []));
    expect(pieces.join("")).toBe("I have looked at everything.");
    expect(events[whole]).toEqual({ type: "message", text: "I have looked at everything." });
  });

  it("has remarks with the results of its tools, one for each that ran, again in each later request and after a restart", async () => {
    const remarks = ["mind the first", null, "mind the third"];
    const { agent, model, gateway, open, dialect, remarksFile } = await start(
      [{ call: [note(), note()] }, { call: [note()] }, { say: "I see." }, { after: "more", say: "Yes." }],
      { remark: () => remarks.shift() ?? null },
    );
    agent.says("do the work");
    agent.results((await agent.asks()).calls, "noted", "noted");
    agent.results((await agent.asks()).calls, "noted");
    await agent.asks();
    const read = (place: number) =>
      (model.requests[place]?.messages ?? []).flatMap(({ role, content }) =>
        role === "tool" ? content : [],
      );
    const first = [expect.stringMatching(/noted\s+mind the first/), expect.not.stringContaining("mind")];
    const third = expect.stringMatching(/noted\s+mind the third/);
    expect(read(1)).toEqual(first);
    expect(read(2)).toEqual([...first, third]);
    await gateway.written();
    appendFileSync(remarksFile, '\n["cut');
    const next = new TalkingAgent(dialect, await open());
    next.items = [...agent.items];
    await next.says("and more").asks();
    expect(read(3)).toEqual([...first, third]);
    expect(JSON.stringify(model.requests[3]?.messages.slice(0, 5))).toBe(
      JSON.stringify(model.requests[2]?.messages.slice(0, 5)),
    );
    expect(remarks).toEqual([]);
  });

  it("has the reason of a denial where the agent's own words leave it out, and no remark", async () => {
    let asked = 0;
    const { agent, model, gateway, events } = await start(
      [{ call: [{ tool: "bash" }, note()] }, { say: "I see." }],
      {
        remark: () => {
          asked += 1;
          return null;
        },
      },
    );
    const { calls } = await agent.says("do the work").asks();
    for (const { id } of gateway.calls())
      gateway.told(id, { ok: false, denied: true, output: "not on a Sunday" });
    await agent.results(calls, "The user said no.", "Denied: not on a Sunday").asks();
    const results = model.requests[1]?.messages
      .filter(({ role }) => role === "tool")
      .map(({ content }) => content);
    expect(results).toEqual([
      expect.stringMatching(/^(?:\{"output":")?The user said no\.\s*(?:\\n)*not on a Sunday/),
      expect.stringMatching(/^(?:\{"output":")?Denied: not on a Sunday/),
    ]);
    expect(results?.join().match(/Sunday/g)).toHaveLength(2);
    expect(events.filter((event) => event.type === "tool_ended" && event.denied)).toHaveLength(2);
    expect(asked).toBe(0);
  });

  it("asks for no remark about a terminal tool that succeeded, and for one about others of the turn", async () => {
    let asked = 0;
    const remark = () => {
      asked += 1;
      return `remark ${asked}`;
    };
    const { agent, gateway, model } = await start(
      [{ call: [note(), { tool: "finish" }] }, { after: "wake", say: "Up." }],
      { remark },
    );
    gateway.begin("do the work");
    const { calls } = await agent.says("do the work").asks();
    for (const { id } of gateway.calls()) gateway.told(id, { ok: true, denied: false, output: "x" });
    gateway.endTurn();
    await agent.results(calls, "noted", "finished").asks();
    expect([asked, model.requests.length]).toEqual([0, 1]);
    gateway.begin("wake up");
    await agent.says("wake up").asks();
    expect([asked, model.requests.length]).toEqual([0, 2]);
  });

  it("asks for a remark about the others of the turn where a terminal tool did not end it", async () => {
    let asked = 0;
    const remark = () => {
      asked += 1;
      return null;
    };
    const { agent, gateway } = await start([{ call: [note(), { tool: "finish" }] }, { say: "Up." }], {
      remark,
    });
    const { calls } = await agent.says("do the work").asks();
    for (const { id } of gateway.calls()) gateway.told(id, { ok: true, denied: false, output: "x" });
    await agent.results(calls, "noted", "finished").asks();
    expect(asked).toBe(1);
  });

  it("is answered by the host after the end of a turn, for nothing, until a new message", async () => {
    const { agent, gateway, model, types, events } = await start([
      { call: [{ tool: "finish" }] },
      { after: "wake", say: "Up." },
    ]);
    gateway.begin("do the work");
    const { calls } = await agent.says("do the work").asks();
    gateway.told(gateway.calls()[0]?.id ?? "", { ok: true, denied: false, output: "finished" });
    gateway.endTurn();
    const before = events.length;
    const ended = await agent.results(calls, "finished").asks();
    expect([ended.status, ended.text, ended.calls]).toEqual([200, "The turn ends here.", []]);
    expect([model.requests.length, events.length, gateway.failure()]).toEqual([1, before, null]);
    gateway.begin("wake up");
    expect((await agent.says("wake up").asks()).text).toBe("Up.");
    expect(types().filter((type) => type === "turn_started")).toHaveLength(2);
    expect(gateway.lastMessage()).toBe("Up.");
  });

  it("does not go out where the host ends the turn as it begins", async () => {
    const ended: (() => void)[] = [];
    const told: string[] = [];
    const { agent, gateway, model } = await start([{ say: "Never." }], {
      onEvent: ({ type }) => {
        told.push(type);
        if (type === "turn_started") ended[0]?.();
      },
    });
    ended.push(() => gateway.endTurn());
    const { status, text } = await agent.says("do the work").asks();
    expect([status, text, model.requests.length]).toEqual([200, "The turn ends here.", 0]);
    expect(told).toEqual(["turn_started", "turn_ended"]);
  });

  it("is not taken for a title, which is counted and nothing else, and not asked for after the end of a turn", async () => {
    const { agent, gateway, model, types, dialect } = await start([{ call: [note()] }, { say: "Done." }]);
    const { calls } = await agent.says("do the work").asks();
    const titles = new TalkingAgent(dialect, gateway);
    titles.tools = [];
    titles.says("Role: contract. do the work. Give it a title");
    const before = types();
    expect((await titles.asks()).status).toBe(200);
    expect(types()).toEqual([...before, "usage"]);
    expect(model.requests.map((request) => request.model)).toEqual(["own", "own"]);
    await agent.results(calls, "noted").asks();
    gateway.endTurn();
    titles.items.pop();
    expect((await titles.asks()).status).toBe(403);
    expect(model.requests).toHaveLength(3);
  });

  it("is not taken for another conversation with our tools while it waits for results", async () => {
    const { agent, gateway, types, dialect } = await start([{ call: [note()] }, { say: "Done." }]);
    const { calls } = await agent.says("do the work").says("and this").asks();
    const helper = new TalkingAgent(dialect, gateway);
    helper.says("another one, do the work").says("x");
    const before = types();
    await helper.asks();
    expect(types()).toEqual([...before, "usage"]);
    await agent.results(calls, "noted").asks();
    expect(types().slice(before.length)).toEqual([
      "usage",
      "tool_ended",
      "turn_ended",
      "turn_started",
      "usage",
      "message",
      "turn_ended",
    ]);
  });

  it("goes on in a conversation that the agent has shortened", async () => {
    const { agent, types } = await start([{ say: "One." }, { say: "Two." }]);
    await agent.says("do the work").says("and this").asks();
    agent.items = [];
    await agent.says("A summary: do the work").says("go on").asks();
    expect(types().filter((type) => type === "turn_started")).toHaveLength(2);
  });

  it("has calls that end unseen where the next message comes before their results", async () => {
    const { agent, gateway, events } = await start([{ call: [note()] }, { after: "again", say: "Yes." }]);
    gateway.begin("do the work");
    await agent.says("do the work").asks();
    gateway.begin("again");
    expect(events.slice(-2)).toMatchObject([
      { type: "tool_ended", ok: false, denied: false },
      { type: "turn_ended" },
    ]);
    agent.items.pop();
    await agent.says("again").asks();
    expect(gateway.calls()).toEqual([]);
  });
});

it("keeps a remark on a line of its own in a file for its owner alone", async () => {
  const model = await scripted([{ call: [{ tool: "note" }] }, { say: "Done." }]);
  const { agent, gateway, remarksFile } = await talking("completions", model.origin, {
    remark: () => "a\nb",
  });
  agent.results((await agent.says("do the work").asks()).calls, "noted");
  await agent.asks();
  await gateway.written();
  const [, line = ""] = readFileSync(remarksFile, "utf8").split("\n");
  expect(JSON.parse(line)).toEqual([expect.any(String), "a\nb"]);
});

it("calls get ids that are told once, whatever ids the provider gives them", async () => {
  const ids = ["a-2", "a", "a", "a-2", null, "call-5"];
  const calls = ids.map((id, index) => ({
    index,
    ...(id === null ? {} : { id }),
    function: { name: "bash", arguments: "{}" },
  }));
  const { origin } = await serving((_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(
      JSON.stringify({ choices: [{ message: { tool_calls: calls }, finish_reason: "tool_calls" }] }),
    );
  });
  const { agent, events } = await talking("completions", origin);
  await agent.says("do the work").asks();
  const told = events.flatMap((event) => (event.type === "tool_started" ? [event.toolCallId] : []));
  expect(told).toHaveLength(6);
  expect(new Set(told).size).toBe(6);
});
