import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createGitHubSignIn } from "../../src/adapters/github/app/sign-in.ts";
import { type LocalGitHub, startLocalGitHub } from "../../src/demo/github/start.ts";
import { seedDay } from "../browser/seed.ts";
import { pageOf, type Served, serve } from "./served.ts";

const directory = mkdtempSync(join(tmpdir(), "flotilla-sign-in-"));
let github: LocalGitHub;
let before = 0;

beforeAll(async () => {
  github = await startLocalGitHub({ directory, people: { alice: "read" } });
});
beforeEach(() => {
  before = github.requests().length;
});
afterAll(async () => {
  await github.close();
  rmSync(directory, { recursive: true, force: true });
});

/** A dashboard of the local GitHub's App. */
async function served(parts: Parameters<typeof serve>[0] = {}): Promise<Served> {
  const { app, origin: site, api: apiUrl } = github;
  const one = await serve(parts, createGitHubSignIn({ ...app, site, apiUrl }));
  github.setCallbacks([`${one.url}/sign-in/github/done`]);
  return one;
}

/** A person presses the button on the page to which the browser was sent; empty for no. Where the browser goes then. */
async function says(location: string, login: string): Promise<string> {
  const page = await (await fetch(location)).text();
  expect(page).toContain(`value="${login}"`);
  const answer = await fetch(location, {
    method: "POST",
    body: new URLSearchParams({ login }),
    redirect: "manual",
  });
  const back = new URL(answer.headers.get("location") ?? "");
  return `${back.pathname}${back.search}`;
}

/** What GitHub was asked since the test began. */
const asked = () =>
  github
    .requests()
    .slice(before)
    .filter(({ path }) => path !== "/login/oauth/authorize")
    .map(({ method, path, actor }) => [method, path, actor]);

/** The browser goes to GitHub: where it is sent, and the cookie that binds the answer to it. */
async function begin(page: Served) {
  const { status, headers } = await page.get("/sign-in/github");
  expect(status).toBe(302);
  const [cookie = ""] = (headers.get("set-cookie") ?? "").split(";");
  return { location: headers.get("location") ?? "", cookie };
}

it("knows a person by GitHub, keeps no token of theirs, and shows what they may read", async () => {
  const whose: unknown[] = [];
  const permission = async (_: unknown, who: unknown) => {
    whose.push(who);
    return "read" as const;
  };
  const page = await served({ permission });
  await seedDay(page.store, page.clock.now() + 36_000_000);
  const { location, cookie } = await begin(page);
  expect(location).not.toContain(github.app.clientSecret);
  const done = await page.get(await says(location, "alice"), { cookie });
  expect(done.status).toBe(200);
  const session = done.headers.get("set-cookie") ?? "";
  expect(session).toMatch(/^flotilla_session=.*HttpOnly; SameSite=Strict/);
  expect(JSON.stringify([...done.headers, done.body])).not.toContain("ghu_");
  expect(asked()).toEqual([
    ["POST", "/login/oauth/access_token", ""],
    ["GET", "/user", "alice"],
  ]);
  const headers = await pageOf(page, session);
  expect((await page.get("/api/me", headers)).body).toMatchObject({
    viewer: { kind: "person", login: "alice", id: expect.any(Number) },
  });
  expect((await page.get("/api/waiting", headers)).body).toMatchObject({
    waiting: expect.objectContaining({ length: 3 }),
  });
  expect(whose).toContainEqual(expect.objectContaining({ login: "alice", id: expect.any(Number) }));
});

it("takes an answer of GitHub from the browser that asked, once, and in time", async () => {
  const page = await served();
  const open = async (path: string, cookie: string) => {
    const { status, headers } = await page.get(path, { cookie });
    return { status, session: headers.get("set-cookie")?.startsWith("flotilla_session=") === true };
  };
  const no = { status: 400, session: false };
  const first = await begin(page);
  const mine = await says(first.location, "alice");
  const other = await begin(page);
  expect(await open(mine, other.cookie)).toEqual(no);
  // Another browser that tried it does not spoil it.
  expect(await open(mine, first.cookie)).toEqual({ status: 200, session: true });
  const theirs = await says(other.location, "alice");
  expect(await open(theirs, other.cookie)).toEqual({ status: 200, session: true });
  expect(await open(theirs, other.cookie)).toEqual(no);
  const late = await begin(page);
  page.clock.advance(10 * 60_000);
  expect(await open(await says(late.location, "alice"), late.cookie)).toEqual(no);
  expect(await open("/sign-in/github/done?code=x&state=", "flotilla_sign_in=")).toEqual(no);
});

it("remembers a sign-in however many others are begun", async () => {
  const page = await served();
  const { location, cookie } = await begin(page);
  for (let round = 0; round < 1000; round += 1) await page.get("/sign-in/github");
  const done = await page.get(await says(location, "alice"), { cookie });
  expect(done.status).toBe(200);
  // The session, and the end of what was begun.
  expect(done.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^flotilla_session=/),
    expect.stringMatching(/^flotilla_sign_in=; .*Max-Age=0$/),
  ]);
});

it("takes no cookie that was altered, or signed with another key", async () => {
  const page = await served();
  const { location, cookie } = await begin(page);
  const back = await says(location, "alice");
  const [state = "", until = "", mac = ""] = cookie.replace("flotilla_sign_in=", "").split(".");
  for (const bad of [
    `${state}.${Number(until) + 1}.${mac}`,
    `${state}.${until}.`,
    `${state}.${until}.${mac}x`,
    state,
    "",
  ])
    expect((await page.get(back, { cookie: `flotilla_sign_in=${bad}` })).status).toBe(400);
  const other = await served();
  const { cookie: foreign } = await begin(other);
  const theirs = new URL(location).searchParams.get("state") ?? "";
  expect((await page.get(`/sign-in/github/done?code=x&state=${theirs}`, { cookie: foreign })).status).toBe(
    400,
  );
  expect((await page.get(back, { cookie })).status).toBe(200);
});

it("gives the cookie to HTTPS alone where the browser came that way", async () => {
  const page = await served();
  const { headers } = await page.get("/sign-in/github", { "x-forwarded-proto": "https" });
  expect(headers.get("set-cookie")).toMatch(
    /^flotilla_sign_in=.*; HttpOnly; SameSite=Lax; Max-Age=600; Secure$/,
  );
  expect(new URL(headers.get("location") ?? "").searchParams.get("redirect_uri")).toMatch(/^https:/);
});

it("counts as failures what no browser began, too", async () => {
  const page = await served();
  const guesses = { "x-forwarded-for": "198.51.100.7" };
  const statuses: number[] = [];
  for (let round = 0; round < 12; round += 1)
    statuses.push((await page.get("/sign-in/github/done?code=guess&state=guess", guesses)).status);
  expect(statuses).toEqual([...Array.from({ length: 11 }, () => 400), 429]);
  expect(asked()).toEqual([]);
});

it("answers 429 after ten failures a minute from one address, and asks GitHub no more", async () => {
  const page = await served();
  const fails = async (from: string): Promise<number> => {
    const { location, cookie } = await begin(page);
    const state = new URL(location).searchParams.get("state") ?? "";
    const headers = { cookie, "x-forwarded-for": `203.0.113.99, ${from}` };
    return (await page.get(`/sign-in/github/done?code=guess&state=${state}`, headers)).status;
  };
  const statuses: number[] = [];
  for (let round = 0; round < 13; round += 1) statuses.push(await fails("198.51.100.7"));
  expect(statuses).toEqual([...Array.from({ length: 11 }, () => 400), 429, 429]);
  expect(asked()).toHaveLength(11);
  expect(page.logged.filter(({ message }) => message.startsWith("sign-ins refused"))).toEqual([
    {
      level: "warn",
      message: "sign-ins refused: more than ten failed within a minute",
      fields: { from: "198.51.100.7" },
    },
  ]);
  // Others behind the same tunnel are not kept out.
  expect(await fails("198.51.100.8")).toBe(400);
  page.clock.advance(60_000);
  expect(await fails("198.51.100.7")).toBe(400);
});

it("gives no session where GitHub does not say who it is", async () => {
  const page = await served();
  const { location, cookie } = await begin(page);
  const back = await says(location, "alice");
  github.faults.add({ path: /^\/user$/, kind: "status", status: 503 });
  const { status, headers, body } = await page.get(back, { cookie });
  expect(status).toBe(400);
  expect(headers.get("set-cookie")).toBeNull();
  expect(String(body)).toContain("GitHub did not confirm who you are.");
});

it("gives no session to who says no on GitHub's page, and tells them so", async () => {
  const page = await served();
  const { location, cookie } = await begin(page);
  const { status, headers, body } = await page.get(await says(location, ""), { cookie });
  expect([status, headers.get("set-cookie")]).toEqual([400, null]);
  expect(String(body)).toContain("You did not authorize the sign-in on GitHub.");
  expect(asked()).toEqual([]);
});

it("is refused by GitHub where the App's settings do not name the address", async () => {
  const page = await served();
  github.setCallbacks(["http://elsewhere.test/done"]);
  const { location } = await begin(page);
  const { headers } = await fetch(location, { redirect: "manual" });
  expect(headers.get("location")).toMatch(/^http:\/\/elsewhere\.test\/done\?error=redirect_uri_mismatch/);
});

it("proves to GitHub that it is who began, and names the address to come back to", async () => {
  const page = await served();
  const { location } = await begin(page);
  const { searchParams, pathname } = new URL(location);
  expect(pathname).toBe("/login/oauth/authorize");
  expect(searchParams.get("client_id")).toBe(github.app.clientId);
  expect(searchParams.get("redirect_uri")).toBe(`${page.url}/sign-in/github/done`);
  expect(searchParams.get("code_challenge_method")).toBe("S256");
  expect(searchParams.get("state")).toHaveLength(43);
});

it("is not offered where the App's client id and secret are not set", async () => {
  expect((await (await serve()).get("/sign-in/github")).status).toBe(404);
  expect((await (await serve()).get("/")).body).toContain('data-sign-in="token"');
  expect((await (await served()).get("/")).body).toContain('data-sign-in="github"');
});
