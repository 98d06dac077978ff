import type { IncomingMessage } from "node:http";
import { messageOf } from "../../domain/kernel/errors.ts";
import { type Answer, forbidden, NOT_FOUND } from "../../http/answer.ts";
import { type Asked, afterUnread, type Route } from "../../http/http-server.ts";
import { withTimeout } from "../../time/with-timeout.ts";
import { PersonalTokens } from "../auth/personal-tokens.ts";
import { SignInCookies } from "../auth/sign-in-cookies.ts";
import { type Rights, rightsOf } from "../auth/viewer.ts";
import { type Credentials, notOurs, whoAsks } from "../auth/who-asks.ts";
import type { ApiOptions, ApiParts, Paused, Streamed } from "./parts.ts";
import { readJson } from "./read-body.ts";
import { ReadTurns } from "./read-turns.ts";
import { type ApiRoute, bodyOf, findRoute, queryFault } from "./route.ts";
import { ROUTES } from "./routes.ts";

type Given = Pick<ApiParts, "options" | "turns" | "paused">;

/** Those who check health give up after five seconds. */
const DATABASE_MS = 2_000;

const READ_ONLY: Answer = {
  status: 405,
  body: { error: "method_not_allowed", hint: "use GET here" },
};

/** Serves `GET /healthz`, `/readyz` and the JSON API. */
export function createApi(options: ApiOptions): Route {
  const turns = new ReadTurns(options.isUrgent);
  const paused = shared(() => readPaused(options));
  return (asked) => {
    const { path, segments } = asked.target;
    const known = path === "/healthz" || path === "/readyz" || (segments[0] === "api" && segments.length > 1);
    return known ? respond({ options, turns, paused }, asked) : null;
  };
}

async function respond(given: Given, asked: Asked): Promise<void> {
  const { request, response, target } = asked;
  const { options } = given;
  const answered = await answer(given, asked).catch((error: unknown): Streamed => {
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
  response.end(body instanceof Uint8Array ? body : `${JSON.stringify(body)}\n`);
}

async function answer(given: Given, asked: Asked): Promise<Streamed> {
  const { options } = given;
  const { request, target } = asked;
  const { method } = request;
  if (method !== "GET" && method !== "HEAD" && method !== "POST") return READ_ONLY;
  const found = findRoute(ROUTES, method === "POST" ? "post" : "get", target.segments);
  if (found === undefined && method === "POST" && findRoute(ROUTES, "get", target.segments) !== undefined)
    return READ_ONLY;
  const known = credentialsOf(options);
  const parts = { ...options.page, ...given, store: options.store, now: options.clock.now() };
  if (found?.route.open === true) {
    const { route, at } = found;
    const wish = await wishOf(route, asked, known);
    if ("refused" in wish) return wish.refused;
    return route.run(parts, { request, ...known, at, query: target.query, ...wish });
  }
  const rights = await rightsFor(options, request, known);
  if (rights === null) return options.gate.refuse(request);
  if (found === undefined) return NOT_FOUND;
  const { route, at } = found;
  const wish = await wishOf(route, asked, known);
  if ("refused" in wish) return wish.refused;
  return route.run(parts, { request, ...known, at, query: target.query, rights, ...wish });
}

/**
 * Returns the body of what was posted, which only our own page or a program with the token may, or the refusal of what is
 * not as the route's definition says.
 */
async function wishOf(
  route: ApiRoute,
  asked: Asked,
  { cookies }: Credentials,
): Promise<{ readonly body: unknown } | { readonly refused: Answer }> {
  const fault = queryFault(route, asked.target.query);
  if (fault !== null) return { refused: fault };
  if (route.method === "get") return { body: undefined };
  const why = notOurs(asked.request, cookies, route.open === true);
  if (why !== null)
    return { refused: forbidden(why, "act on the dashboard's own page, or send the token with JSON") };
  const read = route.body === undefined ? { json: undefined } : await readJson(asked);
  return "refused" in read ? read : bodyOf(route.body, read.json);
}

function credentialsOf({ gate, clock, store }: ApiOptions): Credentials {
  const now = () => clock.now();
  return {
    gate,
    cookies: new SignInCookies(gate.token, now, store.signOuts),
    tokens: new PersonalTokens(gate.token, now, store.signOuts),
  };
}

async function rightsFor(
  { store, page }: ApiOptions,
  request: IncomingMessage,
  known: Credentials,
): Promise<Rights | null> {
  const viewer = await whoAsks(request, known);
  return viewer === null ? null : rightsOf(viewer, { ...page, repositories: store.repositories });
}

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
