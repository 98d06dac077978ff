import { expect, it } from "vitest";
import { z } from "zod";
import { seedDay } from "../browser/seed.ts";
import { asOperator, serve } from "./served.ts";

const found = z.object({
  agents: z.array(z.object({ key: z.string(), title: z.string().nullable() })),
  next: z.string().nullable(),
  repositories: z.array(z.string()),
  roles: z.array(z.string()),
  none: z.unknown(),
});

async function aDay() {
  const served = await serve();
  await seedDay(served.store, served.clock.now());
  const searched = async (query: string) => {
    const { status, body } = await served.get(`/api/agent-search?${query}`, asOperator);
    expect([query, status]).toEqual([query, 200]);
    return found.parse(body);
  };
  const issues = async (query: string) =>
    (await searched(query)).agents.map(({ key }) => Number(key.replace(/^.*-/, "")));
  return { served, searched, issues };
}

it("finds agents by words as people type them, by state, role and repository", async () => {
  const { issues } = await aDay();
  expect(await issues("")).toEqual([37, 44, 36, 33, 39, 41]);
  expect(await issues("state=ended")).toEqual([30]);
  expect(await issues("state=any&q=%2341")).toEqual([41]);
  expect(await issues("q=EXPORTED+orders")).toEqual([41]);
  expect(await issues("q=acme%2Fshop&state=SLEEPING&order=oldest")).toEqual([36, 44, 37]);
  expect(await issues("repository=ACME%2FShop&role=feat-dev&order=costliest")).toEqual([
    33, 41, 36, 44, 37, 39,
  ]);
  expect(await issues("role=triage&state=any")).toEqual([]);
});

it("leads from page to page, and names what may be chosen", async () => {
  const { searched } = await aDay();
  for (const order of ["latest", "oldest", "costliest"]) {
    const whole = await searched(`state=any&order=${order}`);
    expect(whole).toMatchObject({ next: null, repositories: ["acme/shop"] });
    expect(whole.roles).toContain("feat-dev");
    const rows: string[] = [];
    for (let after = ""; ; ) {
      const { agents, next } = await searched(`state=any&order=${order}&limit=3${after}`);
      rows.push(...agents.map(({ key }) => key));
      if (next === null) break;
      after = `&after=${next}`;
    }
    expect(rows).toEqual(whole.agents.map(({ key }) => key));
  }
});

it("says why it finds nothing: an issue without an agent, or a filter that hides agents", async () => {
  const { served, searched } = await aDay();
  const none = async (query: string) => (await searched(query)).none;
  const other = {
    id: 8,
    owner: "acme",
    name: "site",
    installationId: 1,
    private: true,
    defaultBranch: "main",
  };
  await served.store.repositories.put(other);
  const without = { issue_without_agent: 50, hidden_by_filter: false };
  expect(await none("q=41")).toBeNull();
  expect(await none("q=%2350")).toEqual(without);
  expect(await none("q=50+nothing")).toEqual({ ...without, issue_without_agent: null });
  expect(await none("q=41&role=triage")).toEqual({ issue_without_agent: null, hidden_by_filter: true });
  expect(await none("q=30")).toEqual({ issue_without_agent: null, hidden_by_filter: true });
  expect(await none("q=41&repository=acme%2Fsite")).toEqual({
    issue_without_agent: 41,
    hidden_by_filter: true,
  });
  expect(await none("q=nobody&state=any")).toEqual({ issue_without_agent: null, hidden_by_filter: false });
});

it("refuses what is not there to be chosen, and a cursor of another order", async () => {
  const { served } = await aDay();
  const status = async (query: string) => (await served.get(`/api/agent-search?${query}`, asOperator)).status;
  expect(await status("state=working")).toBe(400);
  expect(await status("order=price")).toBe(400);
  expect(await status(`q=${"x".repeat(201)}`)).toBe(400);
  expect(await status("repository=acme%2Fother")).toBe(404);
  const { body } = await served.get("/api/agent-search?limit=1", asOperator);
  expect(await status(`order=costliest&after=${String(found.parse(body).next)}`)).toBe(400);
});
