import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../../src/domain/kernel/run-event.ts";
import type { Store } from "../../../src/domain/ports/store.ts";
import { delivery, effect, insertAgent, repository, run } from "../../adapters/store/samples.ts";
import { CLAIM } from "../../factories/leases.ts";
import { fresh } from "./fresh.ts";

const call = { toolCallId: "c1", tool: "commit", input: "{}", turn: 3, at: 10 };
const said = (text: string): RunEvent => ({ type: "stream:token", data: { text } });

/** Makes a call for which an agent waits, but for what is given. */
async function awaited(
  store: Store,
  given: {
    readonly verdict?: "granted" | "denied";
    readonly letGo?: boolean;
    readonly hash?: string;
    readonly byOther?: boolean;
    readonly state?: "CANCELLED";
  },
): Promise<void> {
  const { id: agentId, token } = await insertAgent(
    store,
    given.state === undefined ? {} : { state: given.state },
  );
  const { id: other } = await insertAgent(store, { issue: 43 });
  await store.toolCalls.start({ ...call, agentId });
  await store.toolCalls.wait({ agentId, toolCallId: call.toolCallId, asked: "h1" });
  const about = { token, kind: "network", detail: "curl", tool: "bash", input: "{}", createdAt: 10 } as const;
  const asker = given.byOther === true ? other : agentId;
  await store.approvals.ask({ ...about, agentId: asker, hash: given.hash ?? "h1" });
  const [asked] = await store.approvals.asked(asker, token);
  if (given.verdict !== undefined)
    await store.approvals.decide({ id: asked?.id ?? 0, state: given.verdict, by: "@ada", reason: null }, 15);
  if (given.letGo === true) await store.toolCalls.letGo({ agentId, toolCallId: call.toolCallId });
}

export function auditContract(open: () => Promise<Store>): void {
  describe("tool calls, run events and the backlog", () => {
    const store = fresh(open);

    test("a tool call has one end, the first; the model's name for it may come again", async () => {
      const { id: agentId } = await insertAgent(store());
      const { toolCalls } = store();
      await toolCalls.start({ ...call, agentId });
      const end = { agentId, toolCallId: "c1", status: "denied", output: "no turns left", at: 20 } as const;
      expect(await toolCalls.end(end)).toMatchObject({ tool: "commit", turn: 3, durationMs: 10 });
      expect(await toolCalls.end({ ...end, output: "late", at: 30 })).toBeUndefined();
      await toolCalls.start({ ...call, agentId, at: 40 });
      expect(await toolCalls.ofAgent(agentId)).toMatchObject([
        { status: "denied", output: "no turns left", startedAt: 10, endedAt: 20 },
        { status: "pending", output: null, startedAt: 40, endedAt: null, durationMs: null },
      ]);
    });

    test("a tool call is pending until it is let go", async () => {
      const { id: agentId } = await insertAgent(store());
      const { toolCalls } = store();
      for (const toolCallId of ["c1", "c2"]) await toolCalls.start({ ...call, agentId, toolCallId });
      await toolCalls.letGo({ agentId, toolCallId: "c2" });
      expect((await toolCalls.ofAgent(agentId)).map(({ status }) => status)).toEqual(["pending", "running"]);
      const cut = await toolCalls.interrupt({ agentId, neverRan: "It never ran.", at: 20 });
      expect(cut.map(({ toolCallId, output }) => [toolCallId, output])).toEqual([
        ["c1", "It never ran."],
        ["c2", null],
      ]);
      await toolCalls.letGo({ agentId, toolCallId: "c1" });
      expect((await toolCalls.ofAgent(agentId))[0]?.status).toBe("interrupted");
    });

    test("a call that waits for a person stays pending, is made again, and ends by a no", async () => {
      const agent = await insertAgent(store());
      const { toolCalls, approvals, records } = store();
      const { id: agentId, token } = agent;
      const about = { agentId, token, kind: "network", detail: "curl", tool: "bash", input: "{}" } as const;
      for (const hash of ["h1", "h2"]) {
        await toolCalls.start({ ...call, agentId, toolCallId: hash });
        await toolCalls.wait({ agentId, toolCallId: hash, asked: hash });
        await approvals.ask({ ...about, hash, createdAt: 10 });
      }
      const cut = { agentId: null, neverRan: "It never ran.", at: 20 };
      expect(await toolCalls.interrupt(cut)).toEqual([]);
      expect(await toolCalls.again({ agentId, asked: "h3", turn: 7, at: 30 })).toBeUndefined();
      expect(await toolCalls.again({ agentId, asked: "h1", turn: 7, at: 30 })).toMatchObject({
        toolCallId: "h1",
        status: "pending",
        turn: 7,
        startedAt: 30,
      });
      expect(await toolCalls.again({ agentId, asked: "h1", turn: 7, at: 30 })).toBeUndefined();
      await toolCalls.wait({ agentId, toolCallId: "h1", asked: "h1" });
      expect(await toolCalls.interrupt(cut)).toEqual([]);
      expect(await toolCalls.deny({ agentId, asked: "h2", output: "no", at: 40 })).toMatchObject([
        { toolCallId: "h2", status: "denied", output: "no", endedAt: 40 },
      ]);
      await records.save("agent", agent, { ...agent, token: token + 1 });
      expect(await toolCalls.interrupt(cut)).toMatchObject([{ toolCallId: "h1", output: "It never ran." }]);
    });

    test("a tool call is its agent's own: others with the same name and the same question stay as they are", async () => {
      const { id: one } = await insertAgent(store());
      const { id: other } = await insertAgent(store(), { issue: 43 });
      const { toolCalls } = store();
      const status = async (agentId: number) => (await toolCalls.ofAgent(agentId)).map((row) => row.status);
      for (const agentId of [one, other]) {
        await toolCalls.start({ ...call, agentId });
        await toolCalls.wait({ agentId, toolCallId: "c1", asked: "h" });
      }
      const again = { asked: "h", turn: 7, at: 30 };
      expect(await toolCalls.again({ ...again, agentId: other })).toMatchObject({ agentId: other, turn: 7 });
      expect(await toolCalls.ofAgent(one)).toMatchObject([{ turn: 3, startedAt: 10 }]);
      await toolCalls.letGo({ agentId: other, toolCallId: "c1" });
      expect([await status(one), await status(other)]).toEqual([["pending"], ["running"]]);
      const no = { asked: "h", output: "no", at: 40 };
      // A call that was let go waits for nobody.
      expect(await toolCalls.again({ ...again, agentId: other })).toBeUndefined();
      expect(await toolCalls.deny({ ...no, agentId: other })).toEqual([]);
      const end = { toolCallId: "c1", status: "success", output: "", at: 50 } as const;
      expect(await toolCalls.end({ ...end, agentId: other })).toMatchObject({ agentId: other });
      expect(await toolCalls.end({ ...end, agentId: other })).toBeUndefined();
      await toolCalls.start({ ...call, agentId: other });
      await toolCalls.wait({ agentId: other, toolCallId: "c1", asked: "h" });
      expect(await toolCalls.deny({ ...no, agentId: one })).toMatchObject([{ agentId: one }]);
      expect([await status(one), await status(other)]).toEqual([["denied"], ["success", "pending"]]);
    });

    test.each<[string, boolean, Parameters<typeof awaited>[1]]>([
      ["is asked about", true, {}],
      ["was allowed, and its agent is not awake yet", true, { verdict: "granted" }],
      ["was denied", false, { verdict: "denied" }],
      ["was let go", false, { letGo: true }],
      ["is another than the one that is asked about", false, { hash: "h2" }],
      ["another agent asks about", false, { byOther: true }],
      ["is of an agent that has ended", false, { state: "CANCELLED" }],
    ])("a tool call that %s stays pending: %s", async (_, stays, given) => {
      await awaited(store(), given);
      const cut = await store().toolCalls.interrupt({ agentId: null, neverRan: "It never ran.", at: 20 });
      expect(cut).toHaveLength(stays ? 0 : 1);
    });

    test("a tool call's end is that of the oldest open one with its name", async () => {
      const { id: agentId } = await insertAgent(store());
      const { toolCalls } = store();
      for (const at of [10, 20]) await toolCalls.start({ ...call, agentId, at });
      const end = { agentId, toolCallId: "c1", output: "", at: 30 };
      expect(await toolCalls.end({ ...end, status: "success" })).toMatchObject({ startedAt: 10 });
      expect(await toolCalls.end({ ...end, status: "failure" })).toMatchObject({ startedAt: 20 });
    });

    test("calls that run are interrupted, of one agent or of all", async () => {
      const { id: one } = await insertAgent(store());
      const { id: other } = await insertAgent(store(), { issue: 43 });
      const { toolCalls } = store();
      for (const agentId of [one, other]) await toolCalls.start({ ...call, agentId });
      expect(await toolCalls.interrupt({ agentId: one, neverRan: "It never ran.", at: 20 })).toMatchObject([
        { agentId: one, status: "interrupted", endedAt: 20 },
      ]);
      expect(await toolCalls.interrupt({ agentId: null, neverRan: "It never ran.", at: 30 })).toMatchObject([
        { agentId: other },
      ]);
      expect(await toolCalls.interrupt({ agentId: null, neverRan: "It never ran.", at: 40 })).toEqual([]);
    });

    test("events are kept with the agent's latest run and its turns, and read behind a cursor", async () => {
      const { id: agentId } = await insertAgent(store());
      await store().records.insert("run", run({ agentId }));
      const { id: runId } = await store().records.insert("run", run({ agentId }));
      await store().records.count(agentId, "turns", 3);
      const { runEvents } = store();
      expect(await runEvents.latest()).toBe(0);
      const place = { repositoryId: repository.id, issue: 42 };
      await runEvents.add({ ...place, at: 10, agentId, event: said("a") });
      await runEvents.add({ ...place, at: 11, agentId: null, event: said("b") });
      const all = await runEvents.after(0, { limit: 10, agentId: null });
      expect(all).toMatchObject([
        { agentId, runId, turn: 3, event: said("a") },
        { agentId: null, runId: null, turn: null, event: said("b") },
      ]);
      expect(await runEvents.after(0, { limit: 10, agentId })).toHaveLength(1);
      expect(await runEvents.after(all[0]?.id ?? 0, { limit: 10, agentId: null })).toHaveLength(1);
      expect(await runEvents.after(0, { limit: 1, agentId: null })).toHaveLength(1);
      expect(await runEvents.latest()).toBe(all[1]?.id);
    });

    test("the last pieces of what an agent said are read without what others said or it did", async () => {
      const { id: agentId } = await insertAgent(store());
      const { runEvents } = store();
      const place = { at: 1, repositoryId: repository.id, issue: 42 };
      for (const text of ["a", "b", "c"]) await runEvents.add({ ...place, agentId, event: said(text) });
      const cleanup = { type: "agent:cleanup", data: { what: "process" } } as const;
      await runEvents.add({ ...place, agentId, event: cleanup });
      await runEvents.add({ ...place, agentId: null, event: said("d") });
      expect((await runEvents.said(agentId, 2)).map(({ event }) => event)).toEqual([said("b"), said("c")]);
      expect(await runEvents.said(agentId + 1, 2)).toEqual([]);
    });

    test("old and surplus speech goes, and a cursor is never given twice", async () => {
      const { id: agentId } = await insertAgent(store());
      const { runEvents } = store();
      for (const [at, text] of ["a", "b", "c"].entries())
        await runEvents.add({ at, agentId, repositoryId: repository.id, issue: 42, event: said(text) });
      const last = await runEvents.latest();
      expect(await runEvents.pruneTokens({ before: 0, keep: 2, limit: 10 })).toBe(1);
      expect(await runEvents.pruneTokens({ before: 9, keep: 2, limit: 1 })).toBe(1);
      expect(await runEvents.pruneTokens({ before: 9, keep: 2, limit: 10 })).toBe(1);
      expect(await runEvents.latest()).toBe(last);
      await runEvents.add({
        at: 9,
        agentId,
        repositoryId: repository.id,
        issue: 42,
        event: said("d"),
      });
      expect(await runEvents.latest()).toBeGreaterThan(last);
    });

    test("the backlog tells what waits, since when, and how large the database is", async () => {
      const { id: agentId } = await insertAgent(store());
      await store().deliveries.insert([delivery({ guid: "g1", receivedAt: 5 }), delivery({ guid: "g2" })]);
      await store().deliveries.claim({ ...CLAIM, now: 2000, limit: 1 });
      await store().effects.add([effect({ key: "e1", agentId, createdAt: 7 })]);
      const { databaseBytes, ...waiting } = await store().backlog.waiting();
      expect(waiting).toEqual({
        deliveries: [
          { state: "claimed", count: 1 },
          { state: "pending", count: 1 },
        ],
        oldestDelivery: 1000,
        effects: [{ kind: "add_labels", state: "pending", count: 1 }],
        oldestEffect: 7,
        agents: [{ role: "feat-dev", state: "CREATED", count: 1 }],
      });
      expect(databaseBytes).toBeGreaterThan(0);
    });
  });
}
