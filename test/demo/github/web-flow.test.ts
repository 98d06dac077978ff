import { createHash } from "node:crypto";
import { afterEach, expect, it } from "vitest";
import { useGitHub } from "./setup.ts";

let passed = 0;
const ground = useGitHub({ now: () => Date.now() + passed });
afterEach(() => {
  passed = 0;
});
const BACK = "http://app.test/done";
const verifier = "v".repeat(43);
const challenge = createHash("sha256").update(verifier).digest("base64url");

/** Returns where the browser is redirected after `login` agreed, or at once if there is nothing to agree to. */
async function authorized(query: Record<string, string>, login = "octocat"): Promise<URL | number> {
  const { github } = ground;
  github.setCallbacks([BACK, "http://app.test/other"]);
  const search = new URLSearchParams({ client_id: github.app.clientId, state: "s", ...query });
  const url = `${github.origin}/login/oauth/authorize?${search.toString()}`;
  const shown = await fetch(url, { redirect: "manual" });
  const agreed =
    shown.status === 200
      ? await fetch(url, { method: "POST", body: new URLSearchParams({ login }), redirect: "manual" })
      : shown;
  const location = agreed.headers.get("location");
  return location === null ? agreed.status : new URL(location);
}

async function codeFor(query: Record<string, string> = {}): Promise<string> {
  const back = await authorized(query);
  return back instanceof URL ? (back.searchParams.get("code") ?? "") : "";
}

async function exchange(fields: Record<string, string>): Promise<Record<string, unknown>> {
  const { app, origin } = ground.github;
  const answer = await fetch(`${origin}/login/oauth/access_token`, {
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/json" },
    body: JSON.stringify({ client_id: app.clientId, client_secret: app.clientSecret, ...fields }),
  });
  expect(answer.status).toBe(200);
  return JSON.parse(await answer.text());
}

/** Matches a refusal of the exchange. */
const no = (error: string) => expect.objectContaining({ error, error_uri: expect.stringContaining("#") });

it("issues a code when the person agrees, and for the code a token that identifies the person for eight hours", async () => {
  const code = await codeFor({ redirect_uri: "http://app.test/other" });
  const { access_token: token, ...rest } = await exchange({ code, redirect_uri: "http://app.test/other" });
  expect(token).toMatch(/^ghu_\w{36}$/);
  expect(rest).toEqual({
    token_type: "bearer",
    scope: "",
    expires_in: 28_800,
    refresh_token: expect.stringMatching(/^ghr_\w{76}$/),
    refresh_token_expires_in: 15_897_600,
  });
  const user = () =>
    fetch(`${ground.github.api}/user`, { headers: { authorization: `Bearer ${String(token)}` } });
  expect(JSON.parse(await (await user()).text())).toMatchObject({ login: "octocat" });
  passed = 8 * 3_600_000;
  expect((await user()).status).toBe(401);
});

it("answers with a form unless the client accepts JSON, and reads a form", async () => {
  const { app, origin } = ground.github;
  const code = await codeFor();
  const answer = await fetch(`${origin}/login/oauth/access_token`, {
    method: "POST",
    body: new URLSearchParams({ client_id: app.clientId, client_secret: app.clientSecret, code }),
  });
  expect(new URLSearchParams(await answer.text()).get("access_token")).toMatch(/^ghu_/);
});

it("accepts a code once, within ten minutes, and only with the secret, the proof and the address of its request", async () => {
  const used = await codeFor();
  await exchange({ code: used });
  expect(await exchange({ code: used })).toEqual(no("bad_verification_code"));
  const late = await codeFor();
  passed = 10 * 60_000;
  expect(await exchange({ code: late })).toEqual(no("bad_verification_code"));
  expect(await exchange({ code: await codeFor(), client_secret: "a guess" })).toEqual(
    no("incorrect_client_credentials"),
  );
  const proof = { code_challenge: challenge, code_challenge_method: "S256" };
  expect(await exchange({ code: await codeFor(proof) })).toEqual(no("bad_verification_code"));
  expect(await exchange({ code: await codeFor(proof), code_verifier: `${verifier}x` })).toEqual(
    no("bad_verification_code"),
  );
  expect(await exchange({ code: await codeFor(proof), code_verifier: verifier })).toHaveProperty(
    "access_token",
  );
  expect(await exchange({ code: await codeFor(), redirect_uri: "http://app.test/other" })).toEqual(
    no("redirect_uri_mismatch"),
  );
});

/** Returns where the browser is redirected, and the error. */
const error = async (query: Record<string, string>, login?: string) => {
  const back = await authorized(query, login);
  return back instanceof URL ? [back.origin + back.pathname, back.searchParams.get("error")] : back;
};

it("redirects the browser with the error, but never to an address that the App does not list", async () => {
  expect(await error({ redirect_uri: "http://evil.test/done" })).toEqual([BACK, "redirect_uri_mismatch"]);
  expect(await error({ code_challenge: "x", code_challenge_method: "plain" })).toEqual([
    BACK,
    "invalid_request",
  ]);
  expect(await error({}, "")).toEqual([BACK, "access_denied"]);
  expect(await error({ client_id: "Iv1.unknown" })).toBe(404);
});
