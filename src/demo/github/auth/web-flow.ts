import { createHash, randomBytes } from "node:crypto";
import type { Answer } from "../http/answer.ts";
import type { Account, App } from "../world/records.ts";
import type { World } from "../world/world.ts";
import type { Tokens } from "./tokens.ts";

/** Where people authorize the App, and where the App exchanges the code. */
export const AUTHORIZE_PATH = "/login/oauth/authorize";
export const TOKEN_PATH = "/login/oauth/access_token";

const CODE_MS = 10 * 60_000;
const TOKEN_SECONDS = 8 * 3600;
const REFRESH_SECONDS = 15_897_600;
const HELP =
  "https://docs.github.com/apps/managing-oauth-apps/troubleshooting-oauth-app-access-token-request-errors";

/** An App's request to learn who a person is. */
interface Wish {
  /** One of the App's callback URLs. */
  readonly returnTo: string;
  readonly state: string | null;
  readonly challenge: string | null;
}

/**
 * The web flow by which a person authorizes an App to learn who they are (GitHub Apps: generating a user access token).
 */
export interface WebFlow {
  /**
   * Parses the request: null if no App has this client id; otherwise the request, or where to redirect the browser with
   * an error.
   */
  readonly wish: (query: URLSearchParams) => Wish | { readonly refusedTo: string } | null;
  /** Returns where to redirect the browser after the person's answer; null means no. */
  readonly answer: (wish: Wish, person: Account | null) => string;
  /** Exchanges a code for a token. `fields` is the body. Refusals also have status 200. */
  readonly exchange: (fields: Readonly<Record<string, unknown>>, accept: string) => Answer;
}

export function createWebFlow({ world, tokens }: { world: World; tokens: Tokens }): WebFlow {
  const { app } = world;
  const codes = new Map<string, Wish & { readonly person: Account; readonly until: number }>();
  return {
    wish: (query) => {
      if (query.get("client_id") !== app.clientId) return null;
      const [first] = app.callbackUrls;
      if (first === undefined) return null;
      const state = query.get("state");
      const challenge = query.get("code_challenge");
      const returnTo = query.get("redirect_uri") ?? first;
      // Plain challenges are not accepted.
      const isProof = challenge === null || query.get("code_challenge_method") === "S256";
      if (app.callbackUrls.includes(returnTo) && isProof) return { returnTo, state, challenge };
      const error = isProof ? "redirect_uri_mismatch" : "invalid_request";
      return { refusedTo: sentBack(first, { error, error_description: WHY[error] ?? "", state }) };
    },
    answer: (wish, person) => {
      const { returnTo, state } = wish;
      const denied = {
        error: "access_denied",
        error_description: "The user has denied your application access.",
      };
      if (person === null) return sentBack(returnTo, { ...denied, state });
      const code = randomBytes(10).toString("hex");
      codes.set(code, { ...wish, person, until: world.nowMs() + CODE_MS });
      return sentBack(returnTo, { code, state });
    },
    exchange: (fields, accept) => {
      if (fields["client_id"] !== app.clientId || fields["client_secret"] !== app.clientSecret)
        return said(refusal("incorrect_client_credentials"), accept);
      const code = codes.get(String(fields["code"]));
      codes.delete(String(fields["code"]));
      if (code === undefined || code.until <= world.nowMs() || !isProved(code, fields["code_verifier"]))
        return said(refusal("bad_verification_code"), accept);
      if (fields["redirect_uri"] !== undefined && fields["redirect_uri"] !== code.returnTo)
        return said(refusal("redirect_uri_mismatch"), accept);
      const expiresAt = world.nowMs() + TOKEN_SECONDS * 1000;
      return said(
        {
          access_token: tokens.add({ kind: "user", account: code.person, expiresAt }),
          expires_in: TOKEN_SECONDS,
          refresh_token: `ghr_${randomBytes(38).toString("hex")}`,
          refresh_token_expires_in: REFRESH_SECONDS,
          token_type: "bearer",
          scope: "",
        },
        accept,
      );
    },
  };
}

const WHY: Readonly<Record<string, string>> = {
  incorrect_client_credentials: "The client_id and/or client_secret passed are incorrect.",
  bad_verification_code: "The code passed is incorrect or expired.",
  redirect_uri_mismatch: "The redirect_uri MUST match the registered callback URL for this application.",
  invalid_request: "The code_challenge_method must be S256.",
};

function refusal(error: string): Record<string, string> {
  return {
    error,
    error_description: WHY[error] ?? "",
    error_uri: `${HELP}/#${error.replaceAll("_", "-")}`,
  };
}

/** Checks the verifier: a request with a challenge must prove that it knows what the challenge was made from. */
function isProved({ challenge }: Wish, verifier: unknown): boolean {
  if (challenge === null) return true;
  return createHash("sha256").update(String(verifier)).digest("base64url") === challenge;
}

/** Formats the answer as a form, unless the client accepts JSON. */
function said(fields: Readonly<Record<string, string | number>>, accept: string): Answer {
  if (accept.includes("json")) return { status: 200, json: fields };
  const text = new URLSearchParams(
    Object.entries(fields).map(([name, value]) => [name, String(value)]),
  ).toString();
  return {
    status: 200,
    text,
    headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
  };
}

function sentBack(returnTo: string, fields: Readonly<Record<string, string | null>>): string {
  const url = new URL(returnTo);
  for (const [name, value] of Object.entries(fields)) if (value !== null) url.searchParams.set(name, value);
  return url.href;
}

/** Sets the App's callback URLs. */
export function setCallbacks(app: App, urls: readonly string[]): void {
  app.callbackUrls.splice(0, app.callbackUrls.length, ...urls);
}
