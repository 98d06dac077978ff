import type { IncomingMessage } from "node:http";
import type { TokenGate } from "../../http/token-gate.ts";
import type { PersonalTokens } from "./personal-tokens.ts";
import type { SignInCookies } from "./sign-in-cookies.ts";
import type { Viewer } from "./viewer.ts";

/** What tells who asks. */
export interface Credentials {
  readonly gate: TokenGate;
  readonly cookies: SignInCookies;
  readonly tokens: PersonalTokens;
}

/** Returns the viewer who sends a token or a sign-in cookie; null if the request has neither. */
export async function whoAsks(
  request: IncomingMessage,
  { gate, cookies, tokens }: Credentials,
): Promise<Viewer | null> {
  if (request.headers.authorization === undefined) return cookies.viewerOf(request);
  return gate.isBearer(request) ? { kind: "operator" } : tokens.viewerOf(request);
}

/**
 * Returns null if the request comes from our own page or from a program that has the token, otherwise why not. A
 * browser says itself where a request comes from. A cookie alone is not enough to act: the page must also send a token
 * that only it can know.
 */
export function notOurs(request: IncomingMessage, cookies: SignInCookies, signingIn: boolean): string | null {
  const { origin, host, authorization } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return `it comes from a ${site} page`;
  if (origin !== undefined && hostOf(origin) !== host) return `it comes from a page of ${origin}`;
  if (!/^application\/json\b/.test(request.headers["content-type"] ?? "")) return "it is not JSON";
  if (signingIn || authorization !== undefined) return null;
  const given = request.headers["x-flotilla-page"];
  return given === cookies.pageToken(request)
    ? null
    : "it lacks the page's own token, the header x-flotilla-page";
}

function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : "";
}
