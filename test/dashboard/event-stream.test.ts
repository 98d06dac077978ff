import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { RunEvent } from "../../src/domain/kernel/run-event.ts";
import { temporaryDirectory } from "../adapters/store/temporary.ts";
import { methodOf } from "../engine/method-of.ts";
import { stepped } from "../factories/run-events.ts";
import { StreamRig } from "./stream-rig.ts";

const step = stepped;
const said = (text: string): RunEvent => ({ type: "stream:token", data: { text } });
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

async function aStream(path?: string): Promise<StreamRig> {
  const rig = new StreamRig(path);
  await rig.start();
  onTestFinished(() => rig.stop());
  return rig;
}

test("an event is a block with cursor, type and JSON that says whom it is about", async () => {
  const rig = await aStream();
  const agent = await rig.agent(1);
  await rig.add(agent, said('two\nlines and "quotes"'));
  await rig.add(null, step(2));
  const reader = await rig.read("/api/events?after=0");
  await rig.until("all is told", () => reader.ids().length === 2);
  expect(reader.status).toBe(200);
  expect(reader.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
  const [, first, second] = reader.blocks();
  expect(first).toMatchObject({ id: "1", event: "stream:token" });
  expect(JSON.parse(first?.data ?? "")).toEqual({
    id: 1,
    type: "stream:token",
    at: "1970-01-01T00:00:00.000Z",
    agent: "acme/app:feat-dev-issue-1",
    repository: "acme/app",
    issue: 1,
    run: null,
    turn: 0,
    data: { text: 'two\nlines and "quotes"' },
  });
  expect(JSON.parse(second?.data ?? "")).toMatchObject({ agent: null, type: "agent:step" });
});

test("a reader without a cursor is told where it begins, and then what comes", async () => {
  const rig = await aStream();
  await rig.add(null, step(1), step(2));
  const reader = await rig.read("/api/events");
  await rig.until("it begins", () => reader.blocks().length === 1);
  expect(reader.blocks()).toEqual([{ retry: "2000", id: "2" }]);
  await rig.add(null, step(3));
  await rig.until("it is told", () => reader.ids().length === 1);
  expect(reader.ids()).toEqual([3]);
});

test("a reader that comes back after any row gets exactly the rest", async () => {
  const rig = await aStream();
  await rig.add(null, ...numbers(1, 230).map(step));
  for (const last of [0, 1, 99, 100, 101, 199, 229, 230]) {
    const reader = await rig.read("/api/events?after=7", { "last-event-id": String(last) });
    await rig.until("all is told", () => reader.ids().length === 230 - last);
    expect(reader.ids()).toEqual(numbers(last + 1, 230));
    reader.drop();
  }
});

test("a line that breaks again and again, and a server that starts again, leave neither gap nor double", async () => {
  const path = join(temporaryDirectory(), "flotilla.db");
  const rig = new StreamRig(path);
  await rig.start();
  const got: number[] = [];
  for (let round = 0; round < 12; round += 1) {
    const headers: Record<string, string> = got.length === 0 ? {} : { "last-event-id": String(got.at(-1)) };
    const reader = await rig.read("/api/events?after=0", headers);
    const before = got.length;
    await rig.add(null, ...numbers(1, 20).map(step));
    await rig.until("some are told", () => reader.ids().length >= 1 + (round % 5));
    got.push(...reader.ids());
    expect(got.length).toBeGreaterThan(before);
    reader.drop();
    if (round % 4 === 3) {
      await rig.stop();
      await rig.start();
    }
  }
  const reader = await rig.read("/api/events", { "last-event-id": String(got.at(-1)) });
  await rig.until("the rest is told", () => got.length + reader.ids().length >= 240);
  expect([...got, ...reader.ids()]).toEqual(numbers(1, 240));
  await rig.stop();
});

test("a stream of one agent tells nothing of the others", async () => {
  const rig = await aStream();
  const [one, other] = [await rig.agent(1), await rig.agent(2)];
  await rig.add(one, step(1));
  await rig.add(other, step(2));
  await rig.add(null, step(3));
  await rig.add(one, step(4));
  const reader = await rig.read("/api/events?after=0&agent=acme/app:feat-dev-issue-1");
  await rig.until("it is told", () => reader.ids().length === 2);
  expect(reader.ids()).toEqual([1, 4]);
});

test("a quiet stream says every fifteen seconds that it is there", async () => {
  const rig = await aStream();
  const reader = await rig.read("/api/events");
  await rig.until("it begins", () => reader.blocks().length === 1);
  const begun = rig.clock.now();
  await rig.until("it beats", () => reader.text().includes(": nothing new\n\n"));
  expect(rig.clock.now() - begun).toBeGreaterThanOrEqual(14_000);
  expect(rig.clock.now() - begun).toBeLessThan(17_000);
});

test("a reader that takes nothing is cut off, costs no memory until then, and can come back", async () => {
  const rig = await aStream();
  const big = said("x".repeat(4000));
  await rig.add(null, ...Array.from({ length: 3000 }, () => big));
  let rows = 0;
  const after = methodOf(rig.store.runEvents, "after");
  rig.store.runEvents.after = async (...args) => {
    const found = await after(...args);
    rows += found.length;
    return found;
  };
  const slow = await rig.read("/api/events?after=0", {}, true);
  await rig.until("thirty seconds are over", () => rig.clock.now() > 60_000);
  expect(rows).toBeLessThan(3000);
  rig.store.runEvents.after = after;
  const again = await rig.read("/api/events?after=2990");
  await rig.until("it is told", () => again.ids().length === 10);
  expect(again.ids()).toEqual(numbers(2991, 3000));
  slow.resume();
  await rig.until("it sees its end", () => slow.ended());
  expect(slow.ids().length).toBeLessThan(3000);
  expect(slow.ids()).toEqual(numbers(1, slow.ids().length));
});

test("streams end at once when the server stops, and no new one begins", async () => {
  const rig = await aStream();
  const reader = await rig.read("/api/events");
  await rig.until("it begins", () => reader.blocks().length === 1);
  rig.streams.close();
  await rig.until("it ends", () => reader.ended());
  expect((await rig.read("/api/events")).status).toBe(503);
});

test("more readers than there may be are told so", async () => {
  const rig = await aStream();
  const readers = await Promise.all(numbers(1, 64).map(() => rig.read("/api/events")));
  expect(readers.every(({ status }) => status === 200)).toBe(true);
  expect((await rig.read("/api/events")).status).toBe(503);
  readers[0]?.drop();
  let status = 503;
  for (let tries = 0; status === 503 && tries < 50; tries += 1) ({ status } = await rig.read("/api/events"));
  expect(status).toBe(200);
});

test.each([
  ["/api/events?after=soon", {}, 400],
  ["/api/events?after=-1", {}, 400],
  ["/api/events", { "last-event-id": "1e3" }, 400],
  ["/api/events?agent=acme/app:nobody-issue-1", {}, 404],
  ["/api/events?agent=nonsense", {}, 404],
  ["/api/events", { authorization: "Bearer wrong" }, 401],
] as const)("%s with %j is answered with %i", async (path, headers, status) => {
  const rig = await aStream();
  await rig.agent(1);
  expect((await rig.read(path, headers)).status).toBe(status);
});

test("a cursor of another database begins at the end of this one", async () => {
  const rig = await aStream();
  await rig.add(null, step(1));
  const reader = await rig.read("/api/events?after=5000");
  await rig.until("it begins", () => reader.blocks().length === 1);
  await rig.add(null, step(2));
  await rig.until("it is told", () => reader.ids().length === 1);
  expect(reader.ids()).toEqual([2]);
});
