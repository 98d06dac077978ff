import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, it } from "vitest";
import { SignInCookies } from "../../src/dashboard/auth/sign-in-cookies.ts";
import { KINDS } from "../../src/dashboard/page/people-view.ts";
import { PERSONS_ACT_KINDS } from "../../src/domain/reporting/persons-act.ts";
import { seedDay } from "../browser/seed.ts";
import { IN_FORCE, seedPeople } from "../browser/seed-records.ts";
import { asOperator, pageOf, type Served, serve, TOKEN } from "./served.ts";

async function aDay(): Promise<Served> {
  const served = await serve({
    inForce: IN_FORCE,
    permission: async ({ name }, { login }) => (name === "shop" && login === "reader" ? "read" : "none"),
  });
  const at = served.clock.now() + 10 * 3_600_000;
  await seedDay(served.store, at);
  await seedPeople(served.store, at);
  return served;
}

async function as(served: Served, login: string): Promise<Record<string, string>> {
  const cookies = new SignInCookies(TOKEN, () => served.clock.now(), served.store.signOuts);
  return pageOf(served, cookies.open({ kind: "person", login, id: 5 }, new IncomingMessage(new Socket())));
}

async function acts(served: Served, query = "", headers: Record<string, string> = asOperator) {
  const { body } = await served.get(`/api/acts${query}`, headers);
  return JSON.parse(JSON.stringify(body));
}

it("lists what people did, the latest first, each with where it was done if that is known", async () => {
  const served = await aDay();
  const { acts: all } = await acts(served, "?by=bob");
  expect(all).toMatchObject([
    { kind: "deny", what: "denied a call of `bash` by", detail: "Not this host.", via: null },
    { kind: "merge", agent: null, repository: "acme/shop", issue: 41, via: "github" },
    { kind: "pause", agent: "acme/shop:feat-dev-issue-41", via: "github" },
  ]);
  expect((await acts(served, "?by=operator:ops")).acts).toMatchObject([
    { kind: "cancel", via: "command line" },
  ]);
  expect((await acts(served, "?by=carol&kind=resume")).acts).toMatchObject([{ via: null }]);
});

it("continues where the page before ended", async () => {
  const served = await aDay();
  const { acts: whole, next: end } = await acts(served);
  const seen: unknown[] = [];
  for (let next: string | null = ""; next !== null; ) {
    const page: { acts: unknown[]; next: string | null } = await acts(
      served,
      `?limit=2${next === "" ? "" : `&after=${next}`}`,
    );
    seen.push(...page.acts);
    next = page.next;
  }
  expect([seen, end]).toEqual([whole, null]);
});

it("tells a person only of repositories that they may read", async () => {
  const served = await aDay();
  const mine = await acts(served, "", await as(served, "reader"));
  expect(mine.acts.length).toBeGreaterThan(5);
  expect((await acts(served, "", await as(served, "stranger"))).acts).toEqual([]);
  const asked = "/api/acts?repository=acme/shop";
  expect((await served.get(asked, await as(served, "stranger"))).status).toBe(404);
  expect((await served.get(asked, await as(served, "reader"))).status).toBe(200);
  expect((await served.get("/api/acts?repository=acme/none", asOperator)).status).toBe(404);
});

it("has words for each kind on the page", () => {
  expect(Object.keys(KINDS).toSorted()).toEqual([...PERSONS_ACT_KINDS].toSorted());
});

it("shows the settings to the operator alone, page by page", async () => {
  const served = await aDay();
  const { status, body } = await served.get("/api/settings", await as(served, "reader"));
  expect([status, JSON.stringify(body)]).toEqual([404, expect.not.stringContaining("PORT")]);
  const first = await served.get("/api/settings?limit=1", asOperator);
  expect(first.body).toMatchObject({ settings: [{ key: "APP_ID" }] });
  const { next }: { next: string } = JSON.parse(JSON.stringify(first.body));
  const rest = await served.get(`/api/settings?limit=500&after=${next}`, asOperator);
  const { settings }: { settings: { key: string }[] } = JSON.parse(JSON.stringify(rest.body));
  expect(settings.map(({ key }) => key)).toEqual(IN_FORCE.slice(1).map(({ key }) => key));
});
