import { expect, it } from "vitest";
import { z } from "zod";
import { seedDay } from "../browser/seed.ts";
import { asOperator, serve } from "./served.ts";

const found = z.object({
  agents: z.array(z.object({ key: z.string(), title: z.string().nullable() })),
  next: z.string().nullable(),
  repositories: z.array(z.string()),
  roles: z.array(z.string()),
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
