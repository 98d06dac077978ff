import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Sessions } from "./session-cookie.ts";
import type { Viewer } from "./viewer.ts";

/** Whoever sends the token, or a cookie of ours; null for nobody. */
export async function whoAsks(
  request: IncomingMessage,
  token: string,
  sessions: Sessions,
): Promise<Viewer | null> {
  const { authorization } = request.headers;
  if (authorization === undefined) return sessions.viewerOf(request);
  const given = /^Bearer (.+)$/.exec(authorization)?.[1] ?? "";
  return isToken(given, token) ? { kind: "operator" } : null;
}

/** Compared in constant time, whatever the lengths. */
export function isToken(given: string, token: string): boolean {
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/**
 * Whether a page of ours sent this request, or a program that holds the token: null, or why not. A browser says itself
 * where a request comes from; a cookie alone never acts, because the page sends a word beside it that only it can know.
 */
export function notOurs(request: IncomingMessage, sessions: Sessions, signingIn: boolean): string | null {
  const { origin, host, authorization } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return `it comes from a ${site} page`;
  if (origin !== undefined && hostOf(origin) !== host) return `it comes from a page of ${origin}`;
  if (!/^application\/json\b/.test(request.headers["content-type"] ?? "")) return "it is not JSON";
  if (signingIn || authorization !== undefined) return null;
  const given = request.headers["x-flotilla-page"];
  return given === sessions.pageToken(request) ? null : "it lacks the word of the page, x-flotilla-page";
}

function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : "";
}
