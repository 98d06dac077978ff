import { readFileSync } from "node:fs";
import { Octokit } from "@octokit/rest";
import { LRUCache } from "lru-cache";
import { goesAsFarAs, type Level, Withheld } from "../../../domain/access/level.ts";
import { levelOfRequest } from "../../../domain/access/level-of-call.ts";
import { type AtCrashPoint, neverCrash } from "../../../domain/kernel/crash-points.ts";
import { GitHubError } from "../../../domain/kernel/errors.ts";
import type { Clock } from "../../../domain/ports/clock.ts";
import type { AroundRequest } from "../../../domain/ports/github-app.ts";
import type { Log } from "../../../domain/ports/log.ts";
import { bundledFile } from "../../../domain/settings/bundled-file.ts";
import { type Answer, answerTo } from "./answer.ts";
import type { Cost } from "./buckets.ts";
import type { Budget } from "./budget.ts";
import { graphqlUrl } from "./graphql-url.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";
import { type Asked, errorFromAnswer, isWrite } from "./http-errors.ts";
import { isUsedUp, resetAt } from "./rate-limit.ts";
import type { Asking, Unread } from "./read-answer.ts";

/** The account that requests are made for. */
export interface Caller {
  /** The App or one installation: its limits are used, and its cache is read. */
  readonly account: "app" | `installation ${number}`;
  /**
   * Returns the value of the authorization header; `fresh` asks for a new token because GitHub refused the last one.
   * Undefined sends an anonymous request.
   */
  authorization(fresh: boolean): Promise<string | undefined>;
  /**
   * True if a request that GitHub refuses with 401 is not sent a second time: it fails with an error to be retried, and
   * the next try uses a new token. For writes whose caller must first check again whether they may be sent.
   */
  readonly once?: boolean;
  /** The level of the repository. Default: nothing is withheld. */
  readonly level?: Level;
  /** True if a person is waiting for every request of this caller. */
  readonly forPerson?: boolean;
}

export type Client = (caller: Caller) => Asking;

const REMEMBERED_ANSWERS = 500;
const API_VERSION = "2022-11-28";

const manifest: { version: string } = JSON.parse(
  readFileSync(bundledFile("../../../../package.json", import.meta.url), "utf8"),
);

/** An answer that GitHub may confirm with 304, which is free of its primary limit. */
interface Confirmable {
  readonly etag: string;
  readonly answer: Answer;
}

/**
 * Creates Octokit instances that share limits, cache and network access. A request is tried once (again only after a
 * 401, which means that nothing was done, unless the caller sends it `once`) and fails with `GitHubError`; nothing here waits or retries.
 */
export function createClient(options: {
  readonly baseUrl: string;
  readonly budget: Budget;
  readonly clock: Clock;
  readonly log: Log;
  /** Wraps each request as a whole, including the second attempt after a 401. */
  readonly around?: AroundRequest | undefined;
  readonly crashPoint?: AtCrashPoint;
  readonly timeLimitMs?: number | undefined;
}): Client {
  const { budget, clock, log, around, crashPoint = neverCrash } = options;
  // By path and reader: what one may read another may not.
  const etags = new LRUCache<string, Confirmable>({ max: REMEMBERED_ANSWERS });
  const misreadings = createMisreadings(clock);
  const fetch = createGuardedFetch(options);
  const graph = graphqlUrl(options.baseUrl);
  const warn = (detail: string): void => log.warn({ detail }, "octokit warning");
  const octokitLog = { debug: ignore, info: ignore, warn, error: ignore };

  return (caller) => {
    const octokit = new Octokit({
      baseUrl: options.baseUrl,
      userAgent: `flotilla/${manifest.version}`,
      log: octokitLog,
      request: {
        // A request to a renamed repository costs twice.
        fetch: (url: string, init: RequestInit) =>
          fetch(url, init, () => budget.take(caller.account, pointsOf({ method: init.method ?? "GET" }))),
        log: octokitLog,
      },
    });
    octokit.hook.wrap("request", async (request, given) => {
      const { url, method, headers: wanted } = octokit.request.endpoint(given);
      const isGraph = url === graph;
      // GraphQL reads by POST, too.
      const isQuery = isGraph && /^query\b/.test(given["query"]);
      const asked: Asked = { method, path: pathOf(url), asApp: caller.account === "app", isQuery };
      assertAllowed(asked, caller);
      const key = `${caller.account} ${url}`;
      // A text as HTML has signed addresses that hold for minutes only.
      const mayKeep = !isWrite(asked) && !isGraph && !wanted.accept.includes(".full");
      const remembered = mayKeep ? etags.get(key) : undefined;
      given.headers["x-github-api-version"] = API_VERSION;
      if (remembered) given.headers["if-none-match"] = remembered.etag;

      const attempt = async (fresh: boolean): Promise<Answer> => {
        const authorization = await caller.authorization(fresh);
        if (authorization !== undefined) given.headers.authorization = authorization;
        const account = limitedBy(asked, caller);
        const end = budget.take(account, costOf(asked, caller));
        const answer = await answerTo(asked, request(given)).finally(end);
        const { status, headers } = answer;
        log.debug({ method, path: asked.path, status }, "github request");
        const emptyUntil = resetAt(headers, clock.now());
        if (emptyUntil !== undefined) budget.pause(account, emptyUntil);
        if (status !== 401 || fresh) return answer;
        if (caller.once !== true) return attempt(true);
        await caller.authorization(true);
        const fault = `GitHub refused the token of ${method} ${asked.path}; the next try uses a new one`;
        throw new GitHubError("unavailable", fault, status, { consequence: "retry" });
      };

      const unread = (answer: Answer): Answer & Unread => ({
        ...answer,
        understood: () => misreadings.understood(asked, "shape"),
        misread: (fault) => {
          // Otherwise GitHub would keep confirming it with 304 until something changes.
          etags.delete(key);
          return misreadings.misread(asked, "shape", { status: answer.status, fault });
        },
      });

      const answer = await attempt(false);
      if (answer.status === 304) {
        if (remembered) return unread(remembered.answer);
        const fault = "status 304, although no earlier answer was named";
        throw misreadings.misread(asked, "noJson", { status: 304, fault });
      }
      if (answer.status >= 300) {
        const error = errorFromAnswer(asked, answer, clock.now());
        if (error.code !== "rate_limited") budget.answered();
        // An account whose hourly limit is used up is only paused, above. Every other limit applies to the App as a
        // whole.
        else if (!isUsedUp(answer.headers, clock.now())) budget.refused(error.retryAt ?? 0);
        throw error;
      }
      if (isWrite(asked) && caller.account !== "app") crashPoint("github:written");
      budget.answered();
      if (answer.status !== 204 && !isJson(answer.data) && !isLog(asked, answer)) {
        throw misreadings.misread(asked, "noJson", { status: answer.status, fault: kindOf(answer) });
      }
      misreadings.understood(asked, "noJson");
      const { etag } = answer.headers;
      if (etag !== undefined && mayKeep) etags.set(key, { etag, answer });
      return unread(answer);
    });
    // Added last, so it is the outermost hook and sees the route before its values are filled in.
    if (around !== undefined)
      octokit.hook.wrap("request", (request, given) =>
        around({ method: given.method, route: given.url }, async () => request(given)),
      );
    const graphql = async (query: string, variables: object) =>
      octokit.request({ method: "POST", url: graph, query, variables });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the hook above makes every answer an `Unread`
    return { ...octokit.rest, graphql } as unknown as Asking;
  };
}

/** GitHub counts searches and GraphQL by themselves: when none is left, everything else continues. */
function limitedBy({ path }: Asked, { account }: Caller): string {
  if (path.endsWith("/graphql")) return `${account}, graphql`;
  return /\/search\/[^/?]+(?:\?|$)/.test(path) ? `${account}, searches` : account;
}

/** Throws for a write that is beyond the caller's level. */
function assertAllowed(asked: Asked, { level }: Caller): void {
  const { method, path } = asked;
  const first = isWrite(asked) ? levelOfRequest(method, path) : null;
  if (level !== undefined && first !== null && !goesAsFarAs(level, first))
    throw new Withheld(level, { name: `${method} ${path}`, with: [] });
}

/**
 * Returns the cost of a request. An installation's POST creates content that people see; the App's creates tokens.
 * Edits and deletions are not content.
 */
function costOf(asked: Asked, { forPerson = false }: Caller): Cost {
  const { method, path, asApp } = asked;
  return {
    ...pointsOf(asked),
    content: method === "POST" && isWrite(asked) && !asApp ? 1 : 0,
    forPerson: forPerson || FOR_PERSONS.test(path),
    isDisplay: DISPLAYS.test(path),
  };
}

function pointsOf(asked: Pick<Asked, "method" | "isQuery">): Cost {
  return { points: isWrite(asked) ? 5 : 1, content: 0 };
}

/** Permissions, and the reaction that answers a command: a person waits for both. */
const FOR_PERSONS = /\/collaborators\/[^/]+\/permission$|\/comments\/\d+\/reactions$/;

/** Labels of issues: a wait joins their changes, because the next one shows the state of that time. */
const DISPLAYS = /\/issues\/\d+\/labels$/;

function isJson(data: unknown): boolean {
  return typeof data === "object" && data !== null && !(data instanceof ArrayBuffer);
}

/** Describes an answer that is not JSON, without its content. */
function kindOf({ status, headers, data }: Answer): string {
  const length = typeof data === "string" ? data.length : 0;
  const type = headers["content-type"] ?? "no content type";
  return `status ${status}, ${length === 0 ? "an empty body" : `${length} characters`}, ${type}`;
}

/** Returns whether the answer is a job's log, the only answer that is text. */
function isLog({ path }: Asked, { data }: Answer): boolean {
  return path.endsWith("/logs") && (typeof data === "string" || data === undefined);
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function ignore(): void {}

/** How long an endpoint may return unreadable answers before a person must look. */
const PATIENCE_MS = { shape: 60 * 60_000, noJson: 24 * 60 * 60_000 };
const REMEMBERED = 1_000;
const ADVICE =
  "Check that GHE_HOST names a GitHub, that no proxy answers in its place, and that the version of the Enterprise Server is supported.";

/**
 * `noJson`: something else answered in place of GitHub, such as a proxy. `shape`: a field is missing or of another
 * type.
 */
type Kind = keyof typeof PATIENCE_MS;

/** Remembers since when each endpoint has returned unreadable answers. */
interface Misreadings {
  understood(asked: Asked, kind: Kind): void;
  /**
   * Returns an error that is retried at first; after an hour (`noJson`: a day, as for an outage) it asks for a person.
   */
  misread(asked: Asked, kind: Kind, answer: { readonly status: number; readonly fault: string }): GitHubError;
}

function createMisreadings(clock: Pick<Clock, "now">): Misreadings {
  const since = new Map<string, number>();
  return {
    understood: (asked, kind) => void since.delete(nameOf(asked, kind)),
    misread(asked, kind, { status, fault }) {
      const name = nameOf(asked, kind);
      const now = clock.now();
      const first = since.get(name) ?? now;
      since.set(name, first);
      const oldest = since.keys().next();
      if (since.size > REMEMBERED && !oldest.done) since.delete(oldest.value);
      const lasts = now - first >= PATIENCE_MS[kind];
      const what = kind === "shape" ? "is not as GitHub documents it" : "is not JSON";
      const next = lasts
        ? `it has been so since ${new Date(first).toISOString()}, so a person must look`
        : "it is asked again";
      return new GitHubError(
        kind === "shape" ? "malformed" : "unavailable",
        `The answer to ${asked.method} ${asked.path} ${what}: ${fault}; ${next}`,
        status,
        { consequence: lasts ? "tell" : "retry", uncertain: isWrite(asked), advice: ADVICE },
      );
    },
  };
}

/** Returns the address without its query: the pages of a list are one endpoint. */
function nameOf({ method, path }: Asked, kind: Kind): string {
  return `${kind} ${method} ${path.split("?", 1)[0]}`;
}
