import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, it } from "vitest";
import { PersonalTokens } from "../../src/dashboard/auth/personal-tokens.ts";
import { SignInCookies } from "../../src/dashboard/auth/sign-in-cookies.ts";
import { seedDay } from "../browser/seed.ts";
import { asOperator, pageOf, type Served, serve, TOKEN } from "./served.ts";

const DAY = 86_400_000;
const PAUSE = "/api/agents/acme%2Fshop%3Afeat-dev-issue-41/pause";
const ACT = { id: "program-1", reason: "" };

async function aDay(): Promise<Served> {
  const served = await serve({
    permission: async (_, { login }) => (login === "writer" ? "write" : "none"),
  });
  await seedDay(served.store, served.clock.now() + DAY);
  return served;
}

/** The page of somebody whom GitHub has named. */
async function pageFor(served: Served, login: string, id: number): Promise<Record<string, string>> {
  const cookies = new SignInCookies(TOKEN, () => served.clock.now(), served.store.signOuts);
  return pageOf(served, cookies.open({ kind: "person", login, id }, new IncomingMessage(new Socket())));
}

async function tokenFor(served: Served, login: string, id: number): Promise<string> {
  const { status, body } = await served.post("/api/tokens", {}, await pageFor(served, login, id));
  const { token }: { token: string } = JSON.parse(JSON.stringify(body));
  expect(status).toBe(200);
  return token;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const whoIs = async (served: Served, token: string) => (await served.get("/api/me", bearer(token))).body;

it("a person's token acts as that person, with that person's permission", async () => {
  const served = await aDay();
  const writer = await tokenFor(served, "writer", 5);
  const stranger = await tokenFor(served, "stranger", 6);
  expect(await whoIs(served, writer)).toMatchObject({ viewer: { kind: "person", login: "writer", id: 5 } });
  expect((await served.post(PAUSE, ACT, bearer(stranger))).status).toBe(404);
  expect(served.acts).toEqual([]);
  expect((await served.post(PAUSE, ACT, bearer(writer))).status).toBe(200);
  expect(served.acts).toEqual([
    { path: "/agents/pause", body: expect.objectContaining({ by: "writer", id: "program-1" }) },
  ]);
});

it("ends after 90 days, when its person ends it, and when the operator's token changes", async () => {
  const served = await aDay();
  const first = await tokenFor(served, "writer", 5);
  const other = await tokenFor(served, "stranger", 6);
  expect((await served.post("/api/tokens/end", {}, bearer(first))).status).toBe(200);
  expect((await served.get("/api/me", bearer(first))).status).toBe(401);
  expect((await served.get("/api/me", bearer(other))).status).toBe(200);
  const second = await tokenFor(served, "writer", 5);
  served.clock.advance(89 * DAY);
  expect((await served.get("/api/me", bearer(second))).status).toBe(200);
  expect((await served.get("/api/me", bearer(first))).status).toBe(401);
  served.clock.advance(DAY);
  expect((await served.get("/api/me", bearer(second))).status).toBe(401);
  // The ended series is forgotten by now, and its tokens have expired.
  const third = await tokenFor(served, "writer", 5);
  expect((await served.get("/api/me", bearer(third))).status).toBe(200);
  const request = new IncomingMessage(new Socket());
  request.headers = bearer(third);
  const viewerBy = (key: string) =>
    new PersonalTokens(key, () => served.clock.now(), served.store.signOuts).viewerOf(request);
  expect([await viewerBy(TOKEN), await viewerBy("another token")]).toEqual([
    { kind: "person", login: "writer", id: 5 },
    null,
  ]);
  expect((await served.get("/api/me", bearer(first))).status).toBe(401);
});

it("is made on the page alone: neither by a token, nor by the operator", async () => {
  const served = await aDay();
  const mine = await tokenFor(served, "writer", 5);
  expect((await served.post("/api/tokens", {}, bearer(mine))).status).toBe(403);
  expect((await served.post("/api/tokens", {}, asOperator)).status).toBe(403);
  expect((await served.post("/api/tokens", {}, await served.page())).status).toBe(403);
  expect((await served.post("/api/tokens/end", {}, asOperator)).status).toBe(403);
  const { cookie = "" } = await pageFor(served, "writer", 5);
  expect((await served.post("/api/tokens", {}, { cookie })).status).toBe(403);
});

it("a token that is not ours, or was changed, is a wrong token", async () => {
  const served = await aDay();
  const mine = await tokenFor(served, "writer", 5);
  const [value = "", mac = ""] = mine.replace("flotilla_", "").split(".");
  const forged = Buffer.from(Buffer.from(value, "base64url").toString().replace("writer", "admin1")).toString(
    "base64url",
  );
  for (const wrong of [
    `flotilla_${forged}.${mac}`,
    `flotilla_${value}.`,
    "flotilla_.",
    `flotilla_${value}.x`,
    mine.slice(1),
    "",
  ])
    expect((await served.get("/api/me", bearer(wrong))).status).toBe(401);
  const cookie = (await pageFor(served, "writer", 5))["cookie"]?.split("=")[1] ?? "";
  expect((await served.get("/api/me", bearer(`flotilla_${cookie}`))).status).toBe(401);
});
