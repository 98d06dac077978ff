import type { IncomingMessage } from "node:http";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import type { GitHubLimits } from "../../domain/ports/github-app.ts";
import type { Log } from "../../domain/ports/log.ts";
import type { Store } from "../../domain/ports/store.ts";
import { type Answer, forbidden, NOT_FOUND, ok } from "../../http/answer.ts";
import { type Asked, afterUnread, type Route } from "../../http/http-server.ts";
import type { RequestTarget } from "../../http/request-target.ts";
import type { TokenGate } from "../../http/token-gate.ts";
import { withTimeout } from "../../time/with-timeout.ts";
import { signIn } from "../auth/sign-in.ts";
import { SignInCookies } from "../auth/sign-in-cookies.ts";
import { type Rights, type RightsParts, rightsOf } from "../auth/viewer.ts";
import { notOurs, whoAsks } from "../auth/who-asks.ts";
import { type ActParts, doAct, isAct } from "./acts.ts";
import type { AgentReadParts } from "./agent-reads.ts";
import type { EventStreams, Wanted } from "./event-streams.ts";
import { wantedEvents } from "./event-streams.ts";
import { ledgerAnswer } from "./ledger.ts";
import { readJson } from "./read-body.ts";
import { ReadTurns } from "./read-turns.ts";
import { read } from "./reads.ts";

export interface ApiOptions {
  readonly store: Store;
  readonly events: EventStreams;
  /** Checks the token of every request except health checks. */
  readonly gate: TokenGate;
  /** Returns null if ready for work, otherwise the reason why not. */
  readonly notReady: () => Promise<string | null>;
  readonly limitWaits: GitHubLimits["limitWaits"];
  /** What the dashboard needs in addition to the store. */
  readonly page: DashboardParts;
  readonly clock: Pick<Clock, "now" | "after">;
  readonly log: Log;
  /** Returns whether something is waiting that takes precedence over long reads. */
  readonly isUrgent: () => boolean;
}

/** What the dashboard needs of the engine: GitHub's address, limits in force, permissions, and operations. */
export type DashboardParts = Omit<AgentReadParts, "store"> &
  Omit<ActParts, "store"> &
  Omit<RightsParts, "repositories">;

type Given = ApiOptions & { readonly turns: ReadTurns; readonly paused: () => Promise<Paused> };
type Paused = "all" | "some" | "none" | "unknown";
type Streamed = Answer & { readonly stream?: Wanted };

/** Those who check health give up after five seconds. */
const DATABASE_MS = 2_000;

const BUSY: Answer = {
  status: 503,
  body: { error: "too_many_streams", hint: "close a stream that you do not need, or try again later" },
};
const NO_CURSOR: Answer = {
  status: 400,
  body: { error: "invalid_argument", hint: "set Last-Event-ID or ?after= to the id of an event" },
};

/** Serves `GET /healthz`, `/readyz` and the JSON API. */
export function createApi(options: ApiOptions): Route {
  const turns = new ReadTurns(options.isUrgent);
  const paused = shared(() => readPaused(options));
  return (asked) => {
    const { path, segments } = asked.target;
    const known = path === "/healthz" || path === "/readyz" || (segments[0] === "api" && segments.length > 1);
    return known ? respond({ ...options, turns, paused }, asked) : null;
  };
}

async function respond(options: Given, asked: Asked): Promise<void> {
  const { request, response, target } = asked;
  const answered = await answer(options, asked).catch((error: unknown): Streamed => {
    options.log.error({ error: messageOf(error), path: target.path }, "API request failed");
    return { status: 500, body: { error: "internal", hint: "read the log for the cause" } };
  });
  if (answered.stream !== undefined && options.events.open(response, answered.stream)) return;
  const { status, body, headers } = answered;
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...afterUnread(request),
    ...(status === 405 ? { allow: "GET" } : {}),
    ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
    ...headers,
  });
  response.end(`${JSON.stringify(body)}\n`);
}

async function answer(options: Given, asked: Asked): Promise<Streamed> {
  const { request, target } = asked;
  const { method } = request;
  if (method === "POST") return posted(options, asked);
  if (method !== "GET" && method !== "HEAD")
    return { status: 405, body: { error: "method_not_allowed", hint: "use GET to read the API" } };
  // A process whose database is away lives: a restart would not help.
  if (target.path === "/healthz") return ok({ status: "ok", paused: await options.paused() });
  if (target.path === "/readyz") {
    const why = await options.notReady();
    if (why !== null) return notReady(why);
    const known = await options.paused();
    if (known === "unknown") return notReady("database_away");
    return ok({ status: "ready", paused: known, github: limitsJson(options) });
  }
  const cookies = cookiesOf(options);
  const rights = await rightsFor(options, request, cookies);
  if (rights === null) return options.gate.refuse(request);
  if (target.path === "/api/me")
    return ok({ viewer: rights.viewer, page: cookies.pageToken(request), site: options.page.site });
  if (target.path === "/api/events") {
    const mayStay = async () => (await whoAsks(request, options.gate, cookies)) !== null;
    return events(options.store, { ...rights, mayStay }, request, target);
  }
  if (target.path === "/api/ledger") return ledgerAnswer(options, rights, target.query, options.clock.now());
  const { turns, store } = options;
  return read({ ...options.page, store, turns, now: options.clock.now() }, rights, target);
}

function cookiesOf({ gate, clock, store }: ApiOptions): SignInCookies {
  return new SignInCookies(gate.token, () => clock.now(), store.signOuts);
}

async function rightsFor(
  { store, gate, page }: ApiOptions,
  request: IncomingMessage,
  cookies: SignInCookies,
): Promise<Rights | null> {
  const viewer = await whoAsks(request, gate, cookies);
  return viewer === null ? null : rightsOf(viewer, { ...page, repositories: store.repositories });
}

/** Handles sign-in and acts. Accepts them only from our own page or with the token. */
async function posted(options: ApiOptions, asked: Asked): Promise<Answer> {
  const { request, target } = asked;
  const [root, what = "", ...more] = target.segments;
  const signing = what === "sign-in" || what === "sign-out";
  if (root !== "api" || !(signing || isAct([what, ...more])))
    return { status: 405, body: { error: "method_not_allowed", hint: "use GET here" } };
  const cookies = cookiesOf(options);
  const rights = await rightsFor(options, request, cookies);
  if (rights === null && !signing) return options.gate.refuse(request);
  const why = notOurs(request, cookies, signing);
  if (why !== null) return forbidden(why, "act on the dashboard's own page, or send the token with JSON");
  const given = await readJson(asked);
  if ("busy" in given) return given.busy;
  if (rights === null || signing) return signIn(what, given.json, { request, cookies, gate: options.gate });
  return doAct({ store: options.store, act: options.page.act }, rights, [what, ...more], given.json);
}

/** Opens an event stream, or answers why it cannot be opened. */
async function events(
  store: Store,
  rights: Parameters<typeof wantedEvents>[1],
  request: IncomingMessage,
  target: RequestTarget,
): Promise<Streamed> {
  if (request.method !== "GET")
    return { status: 405, body: { error: "method_not_allowed", hint: "use GET to read a stream" } };
  const wanted = await wantedEvents(store, rights, request, target.query);
  if (wanted === "no_agent") return NOT_FOUND;
  return wanted === "no_cursor" ? NO_CURSOR : { ...BUSY, stream: wanted };
}

/**
 * Returns whether GitHub's limits hold requests back, and for how many minutes. Does not name accounts: no token is
 * needed to read this.
 */
function limitsJson({ limitWaits, clock }: ApiOptions) {
  const all = limitWaits();
  const stopped = all.filter(({ what }) => what === "everything");
  const shown = stopped.length > 0 ? stopped : all;
  const longest = Math.max(...shown.map(({ until }) => until), clock.now());
  return {
    held: shown[0]?.what ?? "nothing",
    minutes_left: Math.ceil((longest - clock.now()) / 60_000),
  };
}

const notReady = (why: string): Answer => ({ status: 503, body: { status: "not_ready", why } });

/**
 * Returns how much is paused; "unknown" where the database does not answer in time. Does not name repositories: no token is
 * needed to read this.
 */
async function readPaused({ store, clock }: Pick<ApiOptions, "store" | "clock">): Promise<Paused> {
  const pauses = await withTimeout(
    clock,
    DATABASE_MS,
    store.scopePauses.list().catch(() => null),
    () => null,
  );
  if (pauses === null) return "unknown";
  if (pauses.some(({ scope }) => scope === "all")) return "all";
  return pauses.length === 0 ? "none" : "some";
}

/** Returns a read that those share who ask for it while it is under way: anybody may ask, and each would take a connection. */
function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null;
  return () => {
    underWay ??= ask().finally(() => {
      underWay = null;
    });
    return underWay;
  };
}
