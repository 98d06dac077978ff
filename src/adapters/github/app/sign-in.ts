import { z } from "zod";
import { GitHubError } from "../../../domain/kernel/errors.ts";
import { shapeFault } from "../../../domain/kernel/shape-fault.ts";
import type { PersonalSignIn } from "../../../domain/ports/github-app.ts";

const TIMEOUT_MS = 10_000;
const token = z.object({ access_token: z.string().min(1) });
const user = z.object({ id: z.int(), login: z.string().min(1) });

/** Creates the sign-in of people. `site` is where they sign in, `apiUrl` the REST API of the same server. */
export function createGitHubSignIn(app: {
  readonly site: string;
  readonly apiUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}): PersonalSignIn {
  return {
    authorizeUrl: ({ state, challenge, returnTo }) => {
      const url = new URL("/login/oauth/authorize", app.site);
      url.search = new URLSearchParams({
        client_id: app.clientId,
        redirect_uri: returnTo,
        state,
        code_challenge: challenge,
        code_challenge_method: "S256",
        allow_signup: "false",
      }).toString();
      return url.href;
    },
    whoIs: async ({ code, verifier, returnTo }) => {
      const { access_token: theirs } = await ask(new URL("/login/oauth/access_token", app.site), token, {
        method: "POST",
        headers: { accept: "application/json", "content-type": "application/json" },
        body: JSON.stringify({
          client_id: app.clientId,
          client_secret: app.clientSecret,
          code,
          code_verifier: verifier,
          redirect_uri: returnTo,
        }),
      });
      const headers = { accept: "application/vnd.github+json", authorization: `Bearer ${theirs}` };
      return ask(new URL(`${app.apiUrl}/user`), user, { headers });
    },
  };
}

/** Reads an answer. If it is malformed, the error names only the field: the answer may contain a token. */
async function ask<Body>(url: URL, shape: z.ZodType<Body>, init: RequestInit): Promise<Body> {
  const failed = (what: string, status: number): GitHubError =>
    new GitHubError(
      status === 0 ? "unavailable" : "unauthorized",
      `GitHub's sign-in failed: ${url.pathname} ${what}`,
      status,
      {
        consequence: "tell",
        advice: "Sign in again. Where it fails again, compare client id and secret with the App's settings.",
      },
    );
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { ...init, redirect: "error", signal }).catch(() => {
    throw failed("was not reached", 0);
  });
  const body = shape.safeParse(await response.json().catch(() => null));
  if (!response.ok) throw failed(`answered ${response.status}`, response.status);
  if (!body.success)
    throw failed(`answered ${response.status}, but ${shapeFault(body.error, "the answer")}`, response.status);
  return body.data;
}
