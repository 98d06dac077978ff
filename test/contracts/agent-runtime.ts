import { describe, expect } from "vitest";
import { describeExchangeEnds } from "./agent-runtime-ends.ts";
import { longMs, runtimeTest, type StartRuntime, textsOf } from "./agent-runtime-rig.ts";

/** What every agent runtime must do, run on the real one and on the fake. */
export function describeAgentRuntime(
  name: string,
  start: StartRuntime,
  cannot: readonly string[] = [],
): void {
  const it = runtimeTest(start, cannot);
  const deadlineMs = longMs;

  describe.concurrent(`agent runtime contract: ${name}, conversations and tools`, { timeout: 60_000 }, () => {
    it("a new conversation calls our tools and ends idle with the last message", async ({ given }) => {
      const { open, requests } = await given([
        { say: "I start.", call: [{ tool: "note", args: { text: "in {{cwd}}" } }] },
        { say: "Done." },
      ]);
      const { session, spec, events, calls } = await open();
      expect(session.resumed).toBe(false);
      expect(await session.exchange("Please do the work.", { deadlineMs })).toEqual({
        kind: "idle",
        lastMessage: "Done.",
      });
      expect(calls).toEqual([["note", { text: `in ${spec.workingDirectory}` }]]);
      expect(textsOf(requests()[1], "tool")).toEqual([expect.stringContaining("noted")]);
      const unordered = ["context", "message_delta", "sign"];
      const told = events.map(({ type }) => type).filter((type) => !unordered.includes(type));
      // An agent may ask the model for a title beside it all.
      expect(told.filter((type) => type !== "usage")).toEqual([
        "turn_started",
        "message",
        "tool_started",
        "tool_ended",
        "turn_ended",
        "turn_started",
        "message",
        "turn_ended",
      ]);
      for (const turn of told.join(" ").split("turn_started").slice(1))
        expect(turn).toMatch(/^ usage .*message/);
      expect(events).toContainEqual(
        expect.objectContaining({ type: "tool_ended", ok: true, denied: false, output: "noted" }),
      );
    });

    it("a message is told in pieces before it is told whole", async ({ given }) => {
      const { open } = await given([{ say: "I have looked at everything." }]);
      const { session, events } = await open();
      await session.exchange("do the work", { deadlineMs });
      const whole = events.findIndex(({ type }) => type === "message");
      const pieces = events
        .slice(0, whole)
        .flatMap((event) => (event.type === "message_delta" ? event.text : []));
      expect(pieces.join("")).toBe("I have looked at everything.");
      expect(events.slice(whole).some(({ type }) => type === "message_delta")).toBe(false);
    });

    it("arguments reach a tool unchecked, and its refusal reaches the model, which may try again", async ({
      given,
    }) => {
      const { open, requests } = await given([
        { call: [{ tool: "finish", args: { summary: 3 } }] },
        { call: [{ tool: "finish", args: { summary: "all done" } }] },
        { say: "Never said." },
      ]);
      const { session, calls } = await open();
      expect((await session.exchange("do the work", { deadlineMs })).kind).toBe("idle");
      expect(calls).toEqual([
        ["finish", { summary: 3 }],
        ["finish", { summary: "all done" }],
      ]);
      expect(textsOf(requests()[1], "tool")[0]).toContain("summary must be a string");
    });

    it("a terminal tool that succeeds ends the exchange without another model call", async ({ given }) => {
      const { open, requests } = await given([
        { call: [{ tool: "finish", args: { summary: "x" } }] },
        { say: "Never." },
      ]);
      const { session } = await open();
      expect((await session.exchange("do the work", { deadlineMs })).kind).toBe("idle");
      expect(requests()).toHaveLength(1);
    });

    it("a denied call does not run, and the model reads why", async ({ given }) => {
      const { open, requests } = await given([{ call: [{ tool: "note" }] }, { say: "I see." }]);
      const { session, calls, events } = await open({
        gate: () => ({ allow: false, reason: "not on a Sunday", endExchange: false }),
      });
      expect(await session.exchange("do the work", { deadlineMs })).toEqual({
        kind: "idle",
        lastMessage: "I see.",
      });
      expect(calls).toEqual([]);
      expect(textsOf(requests()[1], "tool")[0]).toContain("not on a Sunday");
      expect(events).toContainEqual(expect.objectContaining({ type: "tool_ended", ok: false, denied: true }));
    });

    it("what the host remarks is read with the answer of the tool, whatever tool it was", async ({
      given,
    }) => {
      const shell = { tool: "bash", args: { command: "echo out", description: "Say it" } };
      const { open, requests } = await given([
        { call: [shell] },
        { call: [{ tool: "refuse" }] },
        { call: [{ tool: "note" }] },
        { say: "I see." },
      ]);
      const remarks = ["mind the first", "mind the second", null];
      const { session } = await open({ remark: () => remarks.shift() ?? null });
      await session.exchange("do the work", { deadlineMs });
      const read = requests().map((messages) => messages.map(({ content }) => content).join());
      expect(read[0]).not.toContain("mind the first");
      expect(read[1]).toContain("mind the first");
      expect(read[2]).toContain("mind the second");
      expect(remarks).toEqual([]);
      // No model call more than without it.
      expect(requests()).toHaveLength(4);
    });

    it("waits for the host's remark, and asks for none where a terminal tool has ended the exchange", async ({
      given,
    }) => {
      const { open, requests } = await given([
        { call: [{ tool: "note" }] },
        { call: [{ tool: "finish", args: { summary: "x" } }] },
      ]);
      let asked = 0;
      const { session } = await open({
        remark: async () => {
          asked += 1;
          await new Promise<void>((next) => {
            setImmediate(next);
          });
          return "mind the step";
        },
      });
      await session.exchange("do the work", { deadlineMs });
      expect(
        requests()[1]
          ?.map(({ content }) => content)
          .join(),
      ).toContain("mind the step");
      expect(asked).toBe(1);
    });

    it("a call waits for the answer of its gate", async ({ given }) => {
      const { open } = await given([{ call: [{ tool: "note" }] }, { say: "Done." }]);
      const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
      const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
      const { session, calls } = await open({
        gate: async () => {
          ask();
          await answered;
          return { allow: true };
        },
      });
      const end = session.exchange("do the work", { deadlineMs });
      await asked;
      await new Promise<void>((next) => {
        setImmediate(next);
      });
      expect(calls).toEqual([]);
      answer();
      await end;
      expect(calls).toHaveLength(1);
    });

    it("a call is told before its gate is asked", async ({ given }) => {
      const { open } = await given([{ call: [{ tool: "note" }, { tool: "refuse" }] }, { say: "Done." }]);
      const told: string[][] = [];
      const opened = await open({
        gate: () => {
          told.push(opened.events.flatMap((event) => (event.type === "tool_started" ? event.toolName : [])));
          return { allow: true };
        },
      });
      await opened.session.exchange("do the work", { deadlineMs });
      expect(told[0]).toContain("note");
      expect(told[1]).toContain("refuse");
    });

    it("a gate that throws denies", async ({ given }) => {
      const { open } = await given([{ call: [{ tool: "note" }] }, { say: "I see." }]);
      const { session, calls } = await open({
        gate: () => {
          throw new Error("database is locked");
        },
      });
      expect((await session.exchange("do the work", { deadlineMs })).kind).toBe("idle");
      expect(calls).toEqual([]);
    });

    it("the gate ends a model that repeats itself at exactly the limit", async ({ given }) => {
      const { open } = await given([{ when: ".", call: [{ tool: "note", args: { again: true } }] }]);
      let asked = 0;
      const { session, calls } = await open({
        gate: () => {
          asked += 1;
          return asked <= 3
            ? { allow: true }
            : { allow: false, reason: "limit of 3 calls", endExchange: true };
        },
      });
      expect(await session.exchange("do the work", { deadlineMs })).toEqual({ kind: "aborted" });
      expect(calls).toHaveLength(3);
      expect(asked).toBeGreaterThan(3);
    });

    it("a stopped conversation is resumed with its earlier messages, and its tools work again", async ({
      given,
    }) => {
      const { open, requests } = await given([
        { say: "I wait.", call: [{ tool: "note", args: { secret: "blue" } }] },
        { say: "Waiting." },
        { after: "wake up", call: [{ tool: "note", args: { woken: true } }] },
        { say: "Up." },
      ]);
      const first = await open();
      await first.session.exchange("do the work", { deadlineMs });
      await first.session.stop();
      const second = await open({ sessionId: first.spec.sessionId });
      expect(second.session.resumed).toBe(true);
      expect(await second.session.exchange("wake up", { deadlineMs })).toEqual({
        kind: "idle",
        lastMessage: "Up.",
      });
      expect(second.calls).toEqual([["note", { woken: true }]]);
      const ours = ["do the work", "wake up"];
      const users = textsOf(requests()[2], "user").map((text) => text.split("\n").at(-1) ?? "");
      expect(users.filter((text) => ours.includes(text))).toEqual(ours);
      expect(textsOf(requests()[2], "assistant")).toEqual(["I wait.", "Waiting."]);
    });

    it("a conversation in which nothing was said yet is begun, not resumed", async ({ given }) => {
      const { open } = await given([{ say: "Hello." }]);
      const first = await open();
      await first.session.stop();
      const { session } = await open({ sessionId: first.spec.sessionId });
      expect(session.resumed).toBe(false);
      expect(await session.exchange("do the work", { deadlineMs })).toEqual({
        kind: "idle",
        lastMessage: "Hello.",
      });
    });
  });
  describeExchangeEnds(name, start, cannot);
}
