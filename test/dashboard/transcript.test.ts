import { expect, it } from "vitest";
import { seedDay } from "../browser/seed.ts";
import { stepped } from "../factories/run-events.ts";
import { asOperator, type Served, serve } from "./served.ts";

const AGENT = "/api/agents/acme%2Fshop%3Afeat-dev-issue-41";

interface Page {
  readonly transcript: readonly { readonly id: number; readonly type: string; readonly data: unknown }[];
  readonly next: number | null;
}

async function page(served: Served, query = ""): Promise<Page> {
  const { status, body } = await served.get(`${AGENT}/transcript${query}`, asOperator);
  expect(status).toBe(200);
  return JSON.parse(JSON.stringify(body));
}

it("tells a program what the agent said, called and met, and nothing of the others", async () => {
  const served = await serve();
  const { working } = await seedDay(served.store, served.clock.now() + 36_000_000);
  const [other] = await served.store.records.find("agent", { issue: 39 });
  const event = stepped(1);
  await served.store.runEvents.add({ at: 1, agentId: other?.id ?? 0, repositoryId: 7, issue: 39, event });
  const { transcript, next } = await page(served);
  expect(next).toBeNull();
  expect(transcript.map(({ type }) => type)).toEqual([
    "agent:starting",
    "stream:token",
    "tool:start",
    "tool:running",
    "tool:result",
    "tool:start",
  ]);
  expect(transcript[2]).toMatchObject({
    agent: "acme/shop:feat-dev-issue-41",
    at: expect.stringMatching(/Z$/),
    data: { tool: "bash", input: '{"command":"npm test -- export"}' },
  });
  expect((await page(served, `?after=${transcript[4]?.id}`)).transcript).toEqual(transcript.slice(5));
  expect(transcript.every(({ id }) => id > 0) && working.id > 0).toBe(true);
});

it("is read on page by page until all is told once", async () => {
  const served = await serve();
  const { working } = await seedDay(served.store, served.clock.now() + 36_000_000);
  await served.store.transaction(async ({ runEvents }) => {
    for (let step = 1; step <= 1994; step += 1)
      await runEvents.add({
        at: step,
        agentId: working.id,
        repositoryId: 7,
        issue: 41,
        event: stepped(step),
      });
  });
  const told: number[] = [];
  const sizes: number[] = [];
  for (let next: number | null = 0; next !== null; ) {
    const one: Page = await page(served, `?after=${next}`);
    told.push(...one.transcript.map(({ id }) => id));
    sizes.push(one.transcript.length);
    ({ next } = one);
  }
  // A full page may be the last: that there is nothing after it is only known by asking.
  expect(sizes).toEqual([1000, 1000, 0]);
  expect(told).toEqual([...new Set(told)].toSorted((one, other) => one - other));
});

it.each(["?after=x", "?after=-1", "?after=1e3"])("%s is refused with what may be asked", async (query) => {
  const served = await serve();
  await seedDay(served.store, served.clock.now() + 36_000_000);
  const { status, body } = await served.get(`${AGENT}/transcript${query}`, asOperator);
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: "invalid_argument" });
});
