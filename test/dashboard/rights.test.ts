import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, it } from "vitest";
import { SignInCookies } from "../../src/dashboard/auth/sign-in-cookies.ts";
import { seedDay } from "../browser/seed.ts";
import { asOperator, pageOf, type Served, serve, TOKEN } from "./served.ts";

const AGENT = "acme%2Fshop%3Afeat-dev-issue-41";
const ACT = { id: "click-1", reason: "not now" };

/** What somebody whom GitHub has named sends. */
async function person(served: Served, login: string): Promise<Record<string, string>> {
  const cookies = new SignInCookies(TOKEN, () => served.clock.now(), served.store.signOuts);
  return pageOf(served, cookies.open({ kind: "person", login, id: 5 }, new IncomingMessage(new Socket())));
}

async function aDay(): Promise<Served> {
  const served = await serve({
    permission: async ({ name }, { login }) => {
      if (login === "broken") throw new Error("GitHub answered 502");
      return name === "shop" && login !== "stranger" ? (login === "writer" ? "write" : "read") : "none";
    },
  });
  await seedDay(served.store, served.clock.now() + 10 * 3_600_000);
  return served;
}

const READS = [
  "/api/agents",
  "/api/agent-search",
  "/api/tasks",
  "/api/waiting",
  "/api/overview",
  "/api/deliveries",
  "/api/effects",
  "/api/transitions",
  "/api/acts",
  `/api/agents/${AGENT}`,
  `/api/agents/${AGENT}/view`,
  `/api/agents/${AGENT}/transitions`,
  `/api/agents/${AGENT}/decisions`,
  `/api/agents/${AGENT}/effects`,
  `/api/agents/${AGENT}/transcript`,
  `/api/agents/${AGENT}/evidence`,
  `/api/agents/${AGENT}/handoff`,
  "/api/ledger?repository=acme/shop&by=issue",
  "/api/decisions?issue=acme/shop%2341",
  "/api/repositories/acme%2Fshop",
  "/api/goals/acme%2Fshop/28",
  "/api/goals",
] as const;

it("a person who may not read the repository gets no picture of its app", async () => {
  const served = await aDay();
  const agents = await served.store.records.find("agent", { issue: 41, coder: true });
  const [screen] = await served.store.screens.ofAgent(agents.at(-1)?.id ?? 0);
  const statusFor = async (headers: Record<string, string>) =>
    (await fetch(`${served.url}/api/agents/${AGENT}/screens/${screen?.id}/after`, { headers })).status;
  expect([
    await statusFor(await person(served, "reader")),
    await statusFor(await person(served, "stranger")),
    await statusFor(await person(served, "broken")),
  ]).toEqual([200, 404, 404]);
});

it.each(READS)("%s tells a person who may not read the repository nothing of it", async (path) => {
  const served = await aDay();
  const mentions = async (headers: Record<string, string>) =>
    /acme|feat-dev|export|11111111|Two migrations/.test(
      JSON.stringify((await served.get(path, headers)).body),
    );
  expect(await mentions(asOperator)).toBe(true);
  expect(await mentions(await person(served, "reader"))).toBe(true);
  expect(await mentions(await person(served, "stranger"))).toBe(false);
  expect(await mentions(await person(served, "broken"))).toBe(false);
});

it("streams a person the events of what they may read, and no others", async () => {
  const served = await aDay();
  const first = async (headers: Record<string, string>, path: string) => {
    const response = await fetch(`${served.url}${path}`, { headers });
    const reader = response.body?.getReader();
    let text = "";
    while (response.ok && !/\n\n.*\n\n/s.test(text) && !text.includes(": nothing new")) {
      served.clock.advance(5000);
      text += new TextDecoder().decode((await reader?.read())?.value);
    }
    await reader?.cancel();
    return { status: response.status, told: text.includes("feat-dev") };
  };
  const all = "/api/events?after=0";
  expect(await first(await person(served, "reader"), all)).toEqual({ status: 200, told: true });
  const one = `${all}&agent=${AGENT}`;
  expect(await first(await person(served, "stranger"), one)).toEqual({ status: 404, told: false });
});

const ACTS = [
  [
    `/api/agents/${AGENT}/pause`,
    "/agents/pause",
    { agent: "acme/shop:feat-dev-issue-41", id: "click-1", reason: "not now" },
  ],
  [`/api/agents/${AGENT}/resume`, "/agents/resume", { agent: "acme/shop:feat-dev-issue-41" }],
  [`/api/agents/${AGENT}/cancel`, "/agents/kill", { agent: "acme/shop:feat-dev-issue-41" }],
  [`/api/agents/${AGENT}/revive`, "/agents/revive", { agent: "acme/shop:feat-dev-issue-41" }],
  ["/api/approvals/1/approve", "/approvals/decide", { approval: 1, verdict: "approve" }],
  ["/api/approvals/1/deny", "/approvals/decide", { approval: 1, verdict: "deny", reason: "not now" }],
  [
    "/api/goals/acme%2Fshop%2328/abort",
    "/goals/steer",
    { repository: "acme/shop", issue: 28, verb: "abort", id: "click-1", reason: "not now" },
  ],
  ["/api/goals/acme%2Fshop%2328/continue", "/goals/steer", { issue: 28, verb: "continue" }],
  ["/api/effects/2/replay", "/effects/replay", { effect: 2 }],
] as const;

it.each(ACTS)("%s is for people with write permission, and names who did it", async (path, act, body) => {
  const served = await aDay();
  expect((await served.post(path, ACT, await person(served, "stranger"))).status).toBe(404);
  expect((await served.post(path, ACT, await person(served, "reader"))).status).toBe(403);
  expect(served.acts).toEqual([]);
  expect((await served.post(path, ACT, await person(served, "writer"))).status).toBe(200);
  expect((await served.post(path, ACT, asOperator)).status).toBe(200);
  expect(served.acts).toEqual([
    { path: act, body: expect.objectContaining({ ...body, by: "writer" }) },
    { path: act, body: expect.objectContaining({ ...body, by: "operator:dashboard" }) },
  ]);
});

it("hands on how many rounds of review a resume gives, where that is a number", async () => {
  const served = await aDay();
  const path = `/api/agents/${AGENT}/resume`;
  for (const rounds of [0, 10_000, 1.5, "2", null])
    expect((await served.post(path, { id: "click-1", rounds }, asOperator)).status).toBe(400);
  expect((await served.post(`/api/agents/${AGENT}/pause`, { id: "1", rounds: 2 }, asOperator)).status).toBe(
    400,
  );
  expect(served.acts).toEqual([]);
  expect((await served.post(path, { id: "click-1", rounds: 2 }, asOperator)).status).toBe(200);
  expect(served.acts).toEqual([
    { path: "/agents/resume", body: expect.objectContaining({ id: "click-1", rounds: 2 }) },
  ]);
});

it("sets attributes of an agent for who may act there, and says which words are missing", async () => {
  const served = await aDay();
  const path = `/api/agents/${AGENT}/set`;
  const body = { id: "click-1", set: ["ttl=8h", "tag=urgent"] };
  expect((await served.post(path, body, await person(served, "stranger"))).status).toBe(404);
  expect((await served.post(path, body, await person(served, "reader"))).status).toBe(403);
  expect((await served.post(path, ACT, asOperator)).status).toBe(400);
  expect(served.acts).toEqual([]);
  expect((await served.post(path, body, await person(served, "writer"))).status).toBe(200);
  expect(served.acts).toEqual([
    {
      path: "/agents/set",
      body: { ...body, agent: "acme/shop:feat-dev-issue-41", by: "writer", reason: null },
    },
  ]);
});

it("replays a delivery of a repository for who may act there", async () => {
  const served = await aDay();
  const path = "/api/deliveries/11111111-2222-3333-4444-555555555555/replay";
  expect((await served.post(path, ACT, await person(served, "reader"))).status).toBe(403);
  expect((await served.post(path, ACT, await person(served, "writer"))).status).toBe(200);
  expect(served.acts).toEqual([{ path: path.slice("/api".length), body: { by: "writer", id: "click-1" } }]);
});

it("pauses a repository for who may act there, and everything for the operator alone", async () => {
  const served = await aDay();
  const pause = async (scope: string, headers: Record<string, string>) =>
    (await served.post("/api/pause", { ...ACT, scope }, headers)).status;
  expect(await pause("acme/shop", await person(served, "reader"))).toBe(403);
  expect(await pause("acme/shop", await person(served, "writer"))).toBe(200);
  expect(await pause("all", await person(served, "writer"))).toBe(403);
  expect(await pause("all", asOperator)).toBe(200);
  expect(served.acts.map(({ path }) => path)).toEqual(["/pause", "/pause"]);
});

it.each([
  ["/api/agents/nobody/pause", ACT, 404],
  [`/api/agents/${AGENT}/delete`, ACT, 404],
  [`/api/agents/${AGENT}/toString`, ACT, 404],
  [`/api/agents/${AGENT}`, ACT, 405],
  ["/api/agents", ACT, 405],
  ["/api/approvals/99/approve", ACT, 404],
  ["/api/approvals/x/approve", ACT, 404],
  ["/api/nothing/1/replay", ACT, 404],
  [`/api/agents/${AGENT}/pause`, {}, 400],
  [`/api/agents/${AGENT}/pause`, { ...ACT, by: "somebody else" }, 400],
  ["/api/pause", ACT, 400],
])("%s with %j does nothing", async (path, body, status) => {
  const served = await aDay();
  expect((await served.post(path, body, asOperator)).status).toBe(status);
  expect(served.acts).toEqual([]);
});
