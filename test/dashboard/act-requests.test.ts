import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { SignInCookies } from "../../src/dashboard/auth/sign-in-cookies.ts";
import { seedDay } from "../browser/seed.ts";
import { asOperator, pageOf, type Served, serve, TOKEN } from "./served.ts";

const AGENT = "agents/acme%2Fshop%3Afeat-dev-issue-41";
const SHOP = "repositories/acme%2Fshop";
const KEY = "acme/shop:feat-dev-issue-41";

async function aDay(): Promise<Served> {
  const served = await serve({
    permission: async ({ name }, { login }) =>
      name === "shop" && login !== "stranger" ? (login === "writer" ? "write" : "read") : "none",
  });
  await seedDay(served.store, served.clock.now() + 10 * 3_600_000);
  return served;
}

async function as(served: Served, login: string): Promise<Record<string, string>> {
  const cookies = new SignInCookies(TOKEN, () => served.clock.now(), served.store.signOuts);
  return pageOf(served, cookies.open({ kind: "person", login, id: 5 }, new IncomingMessage(new Socket())));
}

/** Each act: its path, what is sent, and what the engine is asked for a writer. */
const ACTS = [
  [
    "questions/1/answer",
    { text: " start empty " },
    "/questions/answer",
    { question: 1, text: "start empty" },
  ],
  ["approvals/1/approve", { reason: "Once." }, "/approvals/decide", { verdict: "approve", reason: "Once." }],
  ["approvals/1/approve", {}, "/approvals/decide", { verdict: "approve", reason: null }],
  ["approvals/1/deny", { reason: "No." }, "/approvals/decide", { verdict: "deny", reason: "No." }],
  ["approvals/1/undo", {}, "/approvals/take-back", { approval: 1 }],
  [`${AGENT}/send`, { text: "Look at #4." }, "/agents/send", { agent: KEY, text: "Look at #4." }],
  [`${AGENT}/continue`, { amount: "+$5" }, "/agents/continue", { agent: KEY, amount: "+$5", reason: null }],
  [`${AGENT}/continue`, { reason: "Go." }, "/agents/continue", { agent: KEY, reason: "Go." }],
  [`${AGENT}/retry`, { reason: "x".repeat(20_000) }, "/agents/retry", { reason: "x".repeat(20_000) }],
  [
    `${SHOP}/start`,
    { issue: 7, role: "feat-dev" },
    "/work/start",
    { repository: "acme/shop", on: { issue: 7 }, role: "feat-dev", words: "" },
  ],
  [
    `${SHOP}/start`,
    { title: " Sort it ", text: "By date.", words: "Small." },
    "/work/start",
    { on: { title: "Sort it", body: "By date." }, role: "", words: "Small." },
  ],
  [`${SHOP}/merge`, { issue: 7 }, "/work/merge", { repository: "acme/shop", issue: 7 }],
  [
    `${SHOP}/run-schedule`,
    { schedule: "daily" },
    "/schedules/run",
    { repository: "acme/shop", schedule: "daily" },
  ],
] as const;

describe.each(ACTS)("POST /api/%s with %j", (path, body, asked, wanted) => {
  it("asks the engine in the name of a person who may act there, and of nobody else", async () => {
    const served = await aDay();
    const send = async (login: string) =>
      (await served.post(`/api/${path}`, { id: "click-1", ...body }, await as(served, login))).status;
    expect([await send("stranger"), await send("reader")]).toEqual([404, 403]);
    expect(served.acts).toEqual([]);
    expect(await send("writer")).toBe(200);
    expect(served.acts).toEqual([
      { path: asked, body: expect.objectContaining({ ...wanted, id: "click-1", by: "writer" }) },
    ]);
  });
});

const REFUSED = [
  ["questions/1/answer", {}, "text: "],
  ["questions/1/answer", { text: "  " }, "text: it is empty"],
  ["questions/1/answer", { text: 3 }, "text: "],
  ["questions/1/answer", { text: "x".repeat(20_001) }, "text: write at most 20,000 characters"],
  ["questions/1/answer", { text: "a", by: "eve" }, "by"],
  ["approvals/1/deny", { reason: "x".repeat(20_001) }, "reason: write at most 20,000 characters"],
  ["approvals/1/undo", { reason: "no" }, "reason"],
  [`${AGENT}/send`, { text: "" }, "text: it is empty"],
  [`${AGENT}/send`, { text: ["a"] }, "text: "],
  [`${AGENT}/pause`, { reason: "x".repeat(501) }, "reason: write at most 500 characters"],
  [`${AGENT}/continue`, { amount: 5 }, "amount: "],
  [`${AGENT}/continue`, { amount: "9".repeat(101) }, "amount: write at most 100 characters"],
  [`${SHOP}/start`, { role: "feat-dev" }, "issue: give the number of an issue, or the title of a new one"],
  [`${SHOP}/start`, { issue: 1, title: "both" }, "issue: give the number"],
  [`${SHOP}/start`, { issue: -1 }, "issue: "],
  [`${SHOP}/start`, { issue: 7, id: "\ud800" }, "id: a character of it is incomplete"],
  [`${SHOP}/start`, { issue: "7" }, "issue: "],
  [`${SHOP}/start`, { title: "x".repeat(257) }, "title: write at most 256 characters"],
  [`${SHOP}/merge`, { issue: 1.5 }, "issue: "],
  [`${SHOP}/merge`, {}, "issue: "],
] as const;

it.each(REFUSED)("POST /api/%s refuses %j with words, and asks nothing", async (path, body, hint) => {
  const served = await aDay();
  const answer = await served.post(`/api/${path}`, { id: "click-1", ...body }, asOperator);
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body)).toContain(hint);
  expect((await served.post(`/api/${path}`, body, asOperator)).status).toBe(400);
  expect(served.acts).toEqual([]);
});

it.each([
  [
    "longer than 64 KiB",
    JSON.stringify({ id: "1", text: "x".repeat(70_000) }),
    413,
    "send at most 64 KiB of JSON",
  ],
  ["not JSON", "text=hello", 400, "send the body as JSON in UTF-8"],
  ["not UTF-8", Buffer.from([0x22, 0xff, 0x22]), 400, "send the body as JSON in UTF-8"],
  ["nothing", "", 400, "id: "],
])("tells the sender of a body that is %s what to send", async (_, body, status, hint) => {
  const served = await aDay();
  const headers = { ...asOperator, "content-type": "application/json" };
  const answer = await fetch(`${served.url}/api/${AGENT}/send`, { method: "POST", headers, body });
  expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(hint)]);
  expect(served.acts).toEqual([]);
});

it.each([
  "questions/99/answer",
  "questions/x/answer",
  "questions/1/ask",
  "approvals/99/undo",
  "repositories/acme%2Fother/start",
  "repositories/acme/start",
  "repositories/acme%2Fshop/constructor",
])("POST /api/%s finds nothing", async (path) => {
  const served = await aDay();
  const body = {
    id: "click-1",
    ...(path.endsWith("start") ? { issue: 1 } : path.endsWith("answer") ? { text: "a" } : {}),
  };
  expect((await served.post(`/api/${path}`, body, asOperator)).status).toBe(404);
  expect(served.acts).toEqual([]);
});
