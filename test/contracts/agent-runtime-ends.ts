import { describe, expect } from "vitest";
import { longMs, runtimeTest, type StartRuntime, textsOf } from "./agent-runtime-rig.ts";

/** How exchanges, sessions and conversations end. Part of the contract in `agent-runtime.ts`. */
export function describeExchangeEnds(
  name: string,
  start: StartRuntime,
  cannot: readonly string[] = [],
): void {
  const it = runtimeTest(start, cannot);
  const deadlineMs = longMs;

  describe.concurrent(`agent runtime contract: ${name}, ends`, { timeout: 60_000 }, () => {
    it("an interrupt ends the exchange as aborted, and the next message is answered", async ({ given }) => {
      const { open, requested, requests } = await given([
        { delayMs: longMs, say: "Never." },
        { after: "and now", say: "Now." },
      ]);
      const { session } = await open();
      await session.interrupt();
      const exchange = session.exchange("do the work", { deadlineMs });
      await requested(1);
      await session.interrupt();
      expect(await exchange).toEqual({ kind: "aborted" });
      expect(await session.exchange("and now?", { deadlineMs })).toEqual({
        kind: "idle",
        lastMessage: "Now.",
      });
      expect(textsOf(requests()[1], "assistant").join()).not.toContain("Never.");
    });

    it("a call is asked about once, though several of one turn are alike", async ({ given }) => {
      const note = { tool: "note", args: { b: 1, a: [{ y: "ü", x: null }] } };
      const { open } = await given([
        { call: [note, note, { tool: "refuse" }] },
        { call: [note] },
        { say: "Done." },
      ]);
      const asked: string[] = [];
      const { session, calls } = await open({
        gate: ({ toolName }) => {
          asked.push(toolName);
          return { allow: true };
        },
      });
      await session.exchange("do the work", { deadlineMs });
      expect(calls).toHaveLength(4);
      expect(asked.toSorted()).toEqual(["note", "note", "note", "refuse"]);
    });

    it("an exchange that outlasts its deadline is aborted", async ({ given }) => {
      const { open } = await given([{ delayMs: longMs, say: "Never." }]);
      const { session } = await open();
      expect(await session.exchange("do the work", { deadlineMs: 400 })).toEqual({ kind: "deadline" });
    });

    it.for([
      { status: 401, reason: "authentication", consequence: "tell", says: "no, thanks" },
      { status: 400, reason: "invalid_request", consequence: "stop", says: "no, thanks" },
      { status: 429, reason: "rate_limit", consequence: "park", says: "Please try again in 20s." },
      { status: 402, reason: "quota", consequence: "park", says: "no, thanks" },
    ])(
      "a model that answers $status ends the exchange as $reason, and only that exchange",
      async ({ status, reason, consequence, says: message }, { given }) => {
        // So long a pause is not sat out inside the exchange.
        const headers = { "retry-after": "600" };
        const { open } = await given([
          { error: { status, message, headers } },
          { after: "again", say: "Better." },
        ]);
        const { session } = await open();
        const end = await session.exchange("do the work", { deadlineMs });
        const detail = expect.stringMatching(/\S/);
        // Not every runtime passes on the provider's headers.
        const retryAfterMs = "retryAfterMs" in end ? end.retryAfterMs : null;
        expect(status === 429 ? [20_000] : [undefined, 600_000]).toContain(retryAfterMs);
        expect(end).toEqual({ kind: "model_error", reason, consequence, status, retryAfterMs, detail });
        expect(await session.exchange("again", { deadlineMs })).toEqual({
          kind: "idle",
          lastMessage: "Better.",
        });
      },
    );

    it("a killed process is noticed before the exchange's deadline, and the conversation continues in a new one", async ({
      given,
    }) => {
      const { open, requested, kill } = await given([
        { delayMs: longMs, say: "Never." },
        { after: "go on from there", say: "I continue." },
      ]);
      const { session, spec } = await open();
      const exchange = session.exchange("do the work", { deadlineMs });
      await requested(1);
      await session.save();
      await kill(spec.sessionId);
      expect((await exchange).kind).toBe("runtime_died");
      expect((await session.exchange("hello?", { deadlineMs })).kind).toBe("runtime_died");
      await session.stop();
      const next = await open({ sessionId: spec.sessionId });
      expect(next.session.resumed).toBe(true);
      expect(await next.session.exchange("go on from there", { deadlineMs })).toEqual({
        kind: "idle",
        lastMessage: "I continue.",
      });
    });

    it("a conversation comes back from its bytes, each request beginning with those before", async ({
      given,
    }) => {
      const { open, requests, runtime, place } = await given([
        { call: [{ tool: "note" }] },
        { say: "Half is done." },
        { after: "go on from there", say: "I continue." },
      ]);
      const { portable } = runtime;
      if (portable === undefined) return;
      const { session, spec } = await open();
      await session.exchange("do the work, and in green", { deadlineMs });
      await session.save();
      const packed = await portable.pack(spec, (text) => text);
      await session.stop();
      await runtime.destroy(spec);
      expect(await portable.isThere(spec)).toBe(false);
      expect(await portable.pack(spec, (text) => text)).toBeNull();
      await portable.unpack({ ...place, sessionId: spec.sessionId }, packed ?? new Uint8Array());
      expect(await portable.isThere(spec)).toBe(true);
      const next = await open({ sessionId: spec.sessionId });
      expect(next.session.resumed).toBe(true);
      await next.session.exchange("go on from there", { deadlineMs });
      const [before = [], after = []] = requests().slice(-2);
      expect(JSON.stringify(after.slice(0, before.length))).toBe(JSON.stringify(before));
      await expect(portable.unpack(spec, Buffer.from("no pack"))).rejects.toMatchObject({
        code: "session_damaged",
      });
    });

    it("what was said and remarked survives a kill that follows its saving", async ({ given }) => {
      const { open, requested, requests, kill } = await given([
        { call: [{ tool: "note" }] },
        { delayMs: longMs, say: "Never." },
        { after: "go on from there", say: "I continue." },
      ]);
      const { session, spec } = await open({ remark: () => "mind the step" });
      const exchange = session.exchange("do the work, and in green", { deadlineMs });
      await requested(2);
      expect(await session.save()).toBe(true);
      await kill(spec.sessionId);
      await exchange;
      expect(await session.save()).toBe(false);
      await session.stop();
      const next = await open({ sessionId: spec.sessionId });
      await next.session.exchange("go on from there", { deadlineMs });
      const read = (requests().at(-1) ?? []).map(({ content }) => content).join();
      expect(read).toContain("in green");
      expect(read).toContain("mind the step");
    });

    it("a stop ends a running exchange, may be repeated, and leaves a session that says so", async ({
      given,
    }) => {
      const { open, requested } = await given([{ delayMs: longMs, say: "Never." }]);
      const { session } = await open();
      const exchange = session.exchange("do the work", { deadlineMs });
      await requested(1);
      await Promise.all([session.stop(), session.stop()]);
      expect(await exchange).toEqual({ kind: "aborted" });
      expect((await session.exchange("hello?", { deadlineMs })).kind).toBe("runtime_died");
    });

    it("a probe is answered by a process that runs, also in the middle of an exchange, and by none that is gone", async ({
      given,
    }) => {
      const { open, requested, kill } = await given([{ delayMs: longMs, say: "Never." }]);
      const { session, spec } = await open();
      expect(await session.probe()).toEqual({ process: true, answered: true });
      const exchange = session.exchange("do the work", { deadlineMs });
      await requested(1);
      expect(await session.probe()).toEqual({ process: true, answered: true });
      await kill(spec.sessionId);
      await exchange;
      expect(await session.probe()).toEqual({ process: false, answered: false });
    });

    it("exchanges of one session run one after the other", async ({ given }) => {
      const { open } = await given([{ say: "One." }, { say: "Two." }]);
      const { session } = await open();
      const ends = await Promise.all([
        session.exchange("do the work", { deadlineMs }),
        session.exchange("and more", { deadlineMs }),
      ]);
      expect(ends.map((end) => end.kind === "idle" && end.lastMessage)).toEqual(["One.", "Two."]);
    });

    it("a destroyed conversation is gone, and one that never was may be destroyed", async ({ given }) => {
      const { open, runtime } = await given([{ say: "Hello." }]);
      const { session, spec } = await open();
      await session.exchange("do the work", { deadlineMs });
      await session.stop();
      await runtime.destroy(spec);
      await runtime.destroy(spec);
      expect((await open({ sessionId: spec.sessionId })).session.resumed).toBe(false);
    });

    it("reaping ends processes that nobody stopped, and counts none when there are none", async ({
      given,
    }) => {
      const { open, runtime } = await given([{ say: "Hello." }]);
      const { session, spec } = await open();
      expect(await runtime.reap([spec])).toBeGreaterThan(0);
      expect(await runtime.reap([spec])).toBe(0);
      expect((await session.exchange("do the work", { deadlineMs })).kind).toBe("runtime_died");
    });
  });
}
