import { expect, test } from "vitest";
import { z } from "zod";
import { agent, repository, run, session } from "../adapters/store/samples.ts";
import { asOperator, type Served, serve } from "./served.ts";

const listed = z.object({ agents: z.array(z.object({ key: z.string() })), next: z.string().nullable() });
const keysOf = (body: unknown) => listed.parse(body).agents.map(({ key }) => key.replace(/^.*:/, ""));

async function threeAgents(): Promise<Served> {
  const served = await serve();
  await served.store.repositories.put(repository);
  const { records } = served.store;
  const labels = ["team=core", "area=api"];
  const planner = await records.insert("agent", agent({ issue: 1, name: "planner", labels }));
  const attributes = { tags: ["urgent"], labels: ["team=core"], ttlMs: 3_600_000, createdAt: 0 };
  const part = await records.insert(
    "agent",
    agent({ issue: 2, name: "part", parentAgentId: planner.id, ...attributes }),
  );
  // One has not begun, the conversation of the other rests.
  await records.insert("run", run({ agentId: planner.id, issue: 1, state: "idle" }));
  await records.insert("session", session({ agentId: part.id, state: "idle" }));
  const over = { state: "FAILED", mode: "one_shot" } as const;
  await records.insert("agent", agent({ issue: 3, name: "over", role: "triage", tags: ["urgent"], ...over }));
  return served;
}

test("agents are found by what is set on them, what they are and where they stand", async () => {
  const served = await threeAgents();
  const found = async (query: string) => {
    const { status, body } = await served.get(`/api/agents?${query}`, asOperator);
    expect([query, status]).toEqual([query, 200]);
    return keysOf(body);
  };
  expect(await found("tag=urgent")).toEqual(["part", "over"]);
  expect(await found("label=team=core")).toEqual(["planner", "part"]);
  expect(await found("label=team%3Dcore&label=area%3Dapi")).toEqual(["planner"]);
  expect(await found("label=team=core,area=api")).toEqual(["planner"]);
  expect(await found("tag=urgent&role=triage&mode=one_shot&state=failed")).toEqual(["over"]);
  expect(await found("tag=urgent&state=CREATED")).toEqual(["part"]);
  expect(await found("state=FAILED")).toEqual(["over"]);
  expect(await found("state=idle")).toEqual(["part", "planner"]);
  expect(await found("by=alice")).toEqual([]);
});

test("a page's cursor leads through the agents with a tag", async () => {
  const served = await threeAgents();
  const first = await served.get("/api/agents?tag=urgent&limit=1", asOperator);
  expect(keysOf(first.body)).toEqual(["part"]);
  const { next } = listed.parse(first.body);
  const second = await served.get(`/api/agents?tag=urgent&limit=1&after=${String(next)}`, asOperator);
  expect([keysOf(second.body), second.body]).toMatchObject([["over"], { next: null }]);
});

test("an agent shows its parent, mode, runtime, node, time to live, labels and tags, in lists and alone", async () => {
  const served = await threeAgents();
  const fields = {
    parent: "acme/rocket:planner",
    mode: "continuous",
    runtime: "copilot",
    node: "local",
    ttl_seconds: 3600,
    ends_at: "1970-01-01T01:00:00.000Z",
    labels: { team: "core" },
    tags: ["urgent"],
  };
  const { body: list } = await served.get("/api/agents?tag=urgent&state=CREATED", asOperator);
  expect(list).toMatchObject({ agents: [fields] });
  const one = `/api/agents/${encodeURIComponent("acme/rocket:part")}`;
  expect((await served.get(one, asOperator)).body).toMatchObject({ agent: fields });
  expect((await served.get(`${one}/view`, asOperator)).body).toMatchObject({ agent: fields });
  const alone = `/api/agents/${encodeURIComponent("acme/rocket:over")}`;
  expect((await served.get(alone, asOperator)).body).toMatchObject({
    agent: { parent: null, ttl_seconds: null, ends_at: null, labels: {} },
  });
});

test.each(["tag=two%20words", "label=team", "mode=twice", "tag="])(
  "?%s is refused with what it takes",
  async (query) => {
    const served = await serve();
    const { status, body } = await served.get(`/api/agents?${query}`, asOperator);
    const [key] = query.split("=");
    expect([status, body]).toMatchObject([
      400,
      { error: "invalid_argument", hint: expect.stringMatching(`^\\?${key}= takes `) },
    ]);
  },
);
