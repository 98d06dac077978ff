import { GitHubError } from "../../../domain/kernel/errors.ts";
import type { Clock } from "../../../domain/ports/clock.ts";
import { graphqlUrl } from "./graphql-url.ts";
import { fetchLog, logAddress } from "./log-store.ts";

/** Time limit of a request, including its redirects and the whole answer. */
export const TIME_LIMIT_MS = 10_000;
const MAX_REDIRECTS = 3;

/**
 * Calls `onRedirect` before each additional request to GitHub that a redirect needs, and calls the function that it
 * returns when that request is answered. An error that it throws ends the whole request.
 */
type GuardedFetch = (url: string, init: RequestInit, onRedirect: () => () => void) => Promise<Response>;

/**
 * Creates the network access of the GitHub adapter; the only other one is `fetchPicture`, which has no token. It contacts
 * only `baseUrl` (it refuses redirects and links to other servers, except for the log of a job), and it reads the whole answer within the time limit, so that a truncated
 * answer is an error and not a text.
 */
export function createGuardedFetch(options: {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly timeLimitMs?: number | undefined;
}): GuardedFetch {
  const { timeLimitMs = TIME_LIMIT_MS } = options;
  const base = new URL(options.baseUrl);
  const root = base.pathname.endsWith("/") ? base.pathname : `${base.pathname}/`;

  const graph = graphqlUrl(options.baseUrl);

  function assertOurServer(url: URL): void {
    if (url.origin === base.origin && url.pathname.startsWith(root)) return;
    if (url.href === graph) return;
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
    // A renamed repository answers 301 to reads and 307 to writes. A write never becomes a read.
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
