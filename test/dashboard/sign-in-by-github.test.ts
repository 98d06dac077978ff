import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createGitHubSignIn } from "../../src/github/sign-in.ts";
import { seedDay } from "../browser/seed.ts";
import { pageOf, type Served, serve } from "./served.ts";

const APP = { clientId: "Iv1.abc", clientSecret: "the App's secret" };

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** GitHub's side of it: gives a code to whoever asks, and a token for it once, to who proves that they asked. */
async function aGitHub(user: unknown = { id: 5, login: "alice" }) {
  const codes = new Map<string, { readonly challenge: string; readonly returnTo: string }>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      asked.push(request.url ?? "");
      if (request.url === "/api/v3/user")
        return json(response, request.headers.authorization === "Bearer ghu_alice" ? 200 : 401, user);
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(Buffer.from(chunk));
      const given = JSON.parse(Buffer.concat(chunks).toString());
      const code = codes.get(given.code);
      codes.delete(given.code);
      const proved = createHash("sha256").update(String(given.code_verifier)).digest("base64url");
      const good =
        given.client_id === APP.clientId &&
        given.client_secret === APP.clientSecret &&
        code?.challenge === proved &&
        code.returnTo === given.redirect_uri;
      return json(response, 200, good ? { access_token: "ghu_alice" } : { error: "bad_verification_code" });
    })();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port }: AddressInfo = JSON.parse(JSON.stringify(server.address()));
  const site = `http://127.0.0.1:${port}`;
  return {
    asked,
    signIn: createGitHubSignIn({ ...APP, site, apiUrl: `${site}/api/v3` }),
    /** A person says yes on the page to which the browser was sent. */
    agree: (location: string) => {
      const { searchParams } = new URL(location);
      const code = `code-${codes.size}`;
      const returnTo = searchParams.get("redirect_uri") ?? "";
      codes.set(code, { challenge: searchParams.get("code_challenge") ?? "", returnTo });
      const back = new URL(returnTo);
      back.search = new URLSearchParams({ code, state: searchParams.get("state") ?? "" }).toString();
      return `${back.pathname}${back.search}`;
    },
  };
}

/** The browser goes to GitHub: where it is sent, and the cookie that binds the answer to it. */
async function begin(served: Served) {
  const { status, headers } = await served.get("/sign-in/github");
  expect(status).toBe(302);
  const [cookie = ""] = (headers.get("set-cookie") ?? "").split(";");
  return { location: headers.get("location") ?? "", cookie };
}

it("knows a person by GitHub, keeps no token of theirs, and shows what they may read", async () => {
  const github = await aGitHub();
  const asked: unknown[] = [];
  const permission = async (_: unknown, who: unknown) => {
    asked.push(who);
    return "read" as const;
  };
  const served = await serve({ permission }, github.signIn);
  await seedDay(served.store, served.clock.now() + 36_000_000);
  const { location, cookie } = await begin(served);
  expect(location).not.toContain("secret");
  const done = await served.get(github.agree(location), { cookie });
  expect(done.status).toBe(200);
  const session = done.headers.get("set-cookie") ?? "";
  expect(session).toMatch(/^flotilla_session=.*HttpOnly; SameSite=Strict/);
  expect(JSON.stringify([...done.headers, done.body])).not.toContain("ghu_alice");
  const page = await pageOf(served, session);
  expect((await served.get("/api/me", page)).body).toMatchObject({
    viewer: { kind: "person", login: "alice", id: 5 },
  });
  expect((await served.get("/api/waiting", page)).body).toMatchObject({
    waiting: expect.objectContaining({ length: 3 }),
  });
  expect(asked).toContainEqual(expect.objectContaining({ login: "alice", id: 5 }));
});

it("takes an answer of GitHub from the browser that asked, once, and in time", async () => {
  const github = await aGitHub();
  const served = await serve({}, github.signIn);
  const open = async (path: string, cookie: string) => {
    const { status, headers } = await served.get(path, { cookie });
    return { status, session: headers.get("set-cookie")?.startsWith("flotilla_session=") === true };
  };
  const no = { status: 400, session: false };
  const first = await begin(served);
  const mine = github.agree(first.location);
  const other = await begin(served);
  expect(await open(mine, other.cookie)).toEqual(no);
  expect(await open(mine, first.cookie)).toEqual(no);
  const theirs = github.agree(other.location);
  expect(await open(theirs, other.cookie)).toEqual({ status: 200, session: true });
  expect(await open(theirs, other.cookie)).toEqual(no);
  const late = await begin(served);
  served.clock.advance(10 * 60_000);
  expect(await open(github.agree(late.location), late.cookie)).toEqual(no);
  expect(await open("/sign-in/github/done?code=x&state=", "flotilla_sign_in=")).toEqual(no);
});

it("gives no session where GitHub does not say who it is", async () => {
  const github = await aGitHub({ message: "nobody" });
  const served = await serve({}, github.signIn);
  const { location, cookie } = await begin(served);
  const { status, headers, body } = await served.get(github.agree(location), { cookie });
  expect(status).toBe(400);
  expect(headers.get("set-cookie")).toBeNull();
  expect(String(body)).toContain("GitHub did not say who you are.");
});

it("proves to GitHub that it is who began, and names the address to come back to", async () => {
  const github = await aGitHub();
  const served = await serve({}, github.signIn);
  const { location } = await begin(served);
  const { searchParams, pathname } = new URL(location);
  expect(pathname).toBe("/login/oauth/authorize");
  expect(searchParams.get("client_id")).toBe(APP.clientId);
  expect(searchParams.get("redirect_uri")).toBe(`${served.url}/sign-in/github/done`);
  expect(searchParams.get("code_challenge_method")).toBe("S256");
  expect(searchParams.get("state")).toHaveLength(43);
});

it("is not offered where the App's client id and secret are not set", async () => {
  expect((await (await serve()).get("/sign-in/github")).status).toBe(404);
  expect((await (await serve()).get("/")).body).toContain('data-sign-in="token"');
  const served = await serve({}, (await aGitHub()).signIn);
  expect((await served.get("/")).body).toContain('data-sign-in="github"');
});
