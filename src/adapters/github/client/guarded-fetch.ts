import { GitHubError } from "../../../domain/kernel/errors.ts";
import type { Clock } from "../../../domain/ports/clock.ts";
import { fetchLog, logAddress } from "./log-store.ts";

/** No request takes longer, with its redirects and the whole answer. */
export const TIME_LIMIT_MS = 10_000;
const MAX_REDIRECTS = 3;

/**
 * `onRedirect` is called before each further request to GitHub that a redirect asks for, and what it gives when that one
 * has its answer; what it throws ends the whole.
 */
type GuardedFetch = (url: string, init: RequestInit, onRedirect: () => () => void) => Promise<Response>;

/**
 * The only way out of this room. It asks nothing but `baseUrl` (redirects and links elsewhere are refused, but for the
 * log of a job), and it reads the whole answer within the time limit, so that an answer cut off in its middle is an error
 * and not a text.
 */
export function createGuardedFetch(options: {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly timeLimitMs?: number | undefined;
}): GuardedFetch {
  const { timeLimitMs = TIME_LIMIT_MS } = options;
  const base = new URL(options.baseUrl);
  const root = base.pathname.endsWith("/") ? base.pathname : `${base.pathname}/`;

  function assertOurServer(url: URL): void {
    if (url.origin === base.origin && url.pathname.startsWith(root)) return;
    throw new GitHubError("invalid", `GitHub pointed to ${url.origin}, which is not ${base.href}`, 0, {
      consequence: "tell",
      advice: "Check GHE_HOST: no request is sent to any other server.",
    });
  }

  async function followed(
    url: URL,
    init: RequestInit,
    onRedirect: () => () => void,
    redirects = 0,
  ): Promise<Response> {
    assertOurServer(url);
    const response = await fetch(url, { ...init, redirect: "manual" });
    const location = response.headers.get("location");
    // A renamed repository answers 301 to reads and 307 to writes; a write never turns into a read.
    const repeatable = response.status >= 307 || init.method === "GET";
    if (response.status < 300 || response.status > 308 || location === null || !repeatable) return response;
    if (redirects === MAX_REDIRECTS) throw new Error(`more than ${MAX_REDIRECTS} redirects`);
    await response.arrayBuffer();
    const next = new URL(location, url);
    const log = logAddress(url, next, base);
    if (log !== undefined) return fetchLog(log, init.signal ?? null);
    const end = onRedirect();
    return followed(next, init, onRedirect, redirects + 1).finally(end);
  }

  return async (url, init, onRedirect) => {
    const aborter = new AbortController();
    const cancel = options.clock.after(timeLimitMs, () =>
      aborter.abort(new Error(`no complete answer within ${timeLimitMs / 1000} s`)),
    );
    try {
      const response = await followed(new URL(url), { ...init, signal: aborter.signal }, onRedirect);
      const body = await response.arrayBuffer();
      const { status, headers } = response;
      return new Response(body.byteLength === 0 ? null : body, { status, headers });
    } finally {
      cancel();
    }
  };
}
