import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { messageOf } from "../core/errors.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { GitHubLimits } from "../core/ports/github-limits.ts";
import type { Log } from "../core/ports/log.ts";
import type { Store } from "../core/ports/store.ts";
import { parseFullName } from "../core/repository.ts";
import type { TransitionRow } from "../core/rows.ts";
import type { EventStreams, Wanted } from "./event-streams.ts";
import { findAgent } from "./find-agent.ts";
import { agentJson, decisionJson, deliveryJson, pauseJson, transitionJson } from "./json.ts";
import { ledgerAnswer } from "./ledger-answer.ts";
import { tasksAsJson } from "./task-json.ts";
import { wantedEvents } from "./wanted-events.ts";

export interface ApiOptions {
  readonly store: Store;
  readonly events: EventStreams;
  /** Needed for everything but health. */
  readonly token: string;
  /** Null when ready to work, else why not. */
  readonly notReady: () => Promise<string | null>;
  readonly limitWaits: GitHubLimits["limitWaits"];
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
}

type Answer = { readonly status: number; readonly body: unknown; readonly stream?: Wanted };

const NOT_FOUND: Answer = {
  status: 404,
  body: { error: "not_found", hint: "GET /api/agents lists what there is" },
};
const BUSY: Answer = {
  status: 503,
  body: { error: "too_many_streams", hint: "close a stream that you do not need, or try again later" },
};
const NO_CURSOR: Answer = {
  status: 400,
  body: { error: "invalid_argument", hint: "Last-Event-ID and ?after= take the id of an event" },
};
const LIST_LIMIT = 200;

/** `GET /healthz`, `/readyz` and the JSON API; true when the request was for one of them. */
export function createApi(
  options: ApiOptions,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const known = ["/healthz", "/readyz"].includes(url.pathname) || url.pathname.startsWith("/api/");
    if (!known) return false;
    void respond(options, request, response, url);
    return true;
  };
}

async function respond(
  options: ApiOptions,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const answered = await answer(options, request, url).catch((error: unknown): Answer => {
    options.log.error({ error: messageOf(error), path: url.pathname }, "an API request failed");
    return { status: 500, body: { error: "internal", hint: "the log says more" } };
  });
  if (answered.stream !== undefined && options.events.open(response, answered.stream)) return;
  const { status, body } = answered;
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...(status === 405 ? { allow: "GET" } : {}),
    ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
  });
  response.end(`${JSON.stringify(body)}\n`);
}

async function answer(options: ApiOptions, request: IncomingMessage, url: URL): Promise<Answer> {
  if (request.method !== "GET" && request.method !== "HEAD")
    return { status: 405, body: { error: "method_not_allowed", hint: "the API is read with GET" } };
  if (url.pathname === "/healthz")
    return { status: 200, body: { status: "ok", paused: await paused(options.store) } };
  if (url.pathname === "/readyz") {
    const why = await options.notReady();
    return why === null
      ? {
          status: 200,
          body: { status: "ready", paused: await paused(options.store), github: limitsJson(options) },
        }
      : { status: 503, body: { status: "not_ready", why } };
  }
  if (!authorized(request, options.token))
    return {
      status: 401,
      body: { error: "unauthorized", hint: "send Authorization: Bearer <DASHBOARD_TOKEN>" },
    };
  if (url.pathname === "/api/events") return events(options.store, request, url);
  if (url.pathname === "/api/ledger")
    return ledgerAnswer(options.store, url.searchParams, options.clock.now());
  return read(options.store, url);
}

/** A stream where all is well; the answer beside it is for when it cannot be opened. */
async function events(store: Store, request: IncomingMessage, url: URL): Promise<Answer> {
  if (request.method !== "GET")
    return { status: 405, body: { error: "method_not_allowed", hint: "a stream is read with GET" } };
  const wanted = await wantedEvents(store, request, url);
  if (wanted === "no_agent") return NOT_FOUND;
  return wanted === "no_cursor" ? NO_CURSOR : { ...BUSY, stream: wanted };
}

/** Whether GitHub's limits hold something back, and for how many minutes; accounts stay behind the token. */
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

/** How much of it is paused; names stay behind the token. */
async function paused(store: Store): Promise<"all" | "some" | "none"> {
  const pauses = await store.scopePauses.list();
  if (pauses.some(({ scope }) => scope === "all")) return "all";
  return pauses.length === 0 ? "none" : "some";
}

async function read(store: Store, url: URL): Promise<Answer> {
  const parts = url.pathname.split("/").slice(2).map(decodeURIComponent);
  const [what, id, more] = parts;
  if (what === "agents" && id === undefined) return agents(store, url);
  if (what === "agents" && id !== undefined && parts.length <= 3) return agent(store, id, more);
  if (parts.length !== 1) return NOT_FOUND;
  if (what === "deliveries") {
    const rows = await store.deliveries.list({}, LIST_LIMIT);
    return { status: 200, body: { deliveries: rows.map(deliveryJson) } };
  }
  if (what === "tasks") {
    const state = url.searchParams.get("state");
    return { status: 200, body: { tasks: await tasksAsJson(store, state === null ? null : [state]) } };
  }
  if (what === "decisions") return decisions(store, url.searchParams.get("issue") ?? "");
  if (what === "transitions") {
    const after = Number(url.searchParams.get("after") ?? "0");
    const rows = await store.transitions.after(Number.isSafeInteger(after) ? after : 0, LIST_LIMIT);
    return { status: 200, body: { transitions: await withAgents(store, rows) } };
  }
  return NOT_FOUND;
}

async function agents(store: Store, url: URL): Promise<Answer> {
  const state = url.searchParams.get("state");
  const rows = await store.records.find("agent", {});
  const shown = state === null ? rows : rows.filter((row) => row.state === state);
  return {
    status: 200,
    body: {
      agents: await Promise.all(shown.map((row) => agentAsJson(store, row))),
      paused: (await store.scopePauses.list()).map(pauseJson),
    },
  };
}

async function agent(store: Store, key: string, more: string | undefined): Promise<Answer> {
  const row = await findAgent(store, key);
  if (row === undefined) return NOT_FOUND;
  if (more === undefined) return { status: 200, body: { agent: await agentAsJson(store, row) } };
  if (more !== "transitions") return NOT_FOUND;
  const rows = await store.transitions.ofAgent(row.id);
  return { status: 200, body: { transitions: rows.map((each) => transitionJson(each, row)) } };
}

async function withAgents(store: Store, rows: readonly TransitionRow[]): Promise<readonly unknown[]> {
  const ids = [...new Set(rows.flatMap((row) => row.agentId ?? []))];
  const found = await store.records.find("agent", { id: ids });
  const byId = new Map(found.map((each) => [each.id, each]));
  return rows.map((row) => transitionJson(row, byId.get(row.agentId ?? 0)));
}

async function decisions(store: Store, issue: string): Promise<Answer> {
  const match = /^([^#]+)#(\d+)$/.exec(issue);
  const name = match?.[1] === undefined ? undefined : parseFullName(match[1]);
  if (name === undefined)
    return { status: 400, body: { error: "invalid_argument", hint: "ask with ?issue=owner/repo%23N" } };
  const repository = await store.repositories.byName(name.owner, name.name);
  if (repository === undefined) return NOT_FOUND;
  const rows = await store.decisions.ofIssue(repository.id, Number(match?.[2]), LIST_LIMIT);
  return { status: 200, body: { decisions: rows.map(decisionJson) } };
}

async function agentAsJson(store: Store, row: Parameters<typeof agentJson>[0]): Promise<unknown> {
  const repository = await store.repositories.get(row.repositoryId);
  const run = (await store.records.find("run", { agentId: row.id })).at(-1);
  return agentJson(row, repository, run);
}

/** Compared in constant time, whatever the lengths. */
function authorized(request: IncomingMessage, token: string): boolean {
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
