import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished } from "vitest";
import type { OpenStore } from "../../src/adapters/store/database.ts";
import { createApi } from "../../src/dashboard/api/api.ts";
import { EventStreams } from "../../src/dashboard/api/event-streams.ts";
import type { DashboardParts } from "../../src/dashboard/api/parts.ts";
import { GitHubSignIns } from "../../src/dashboard/auth/github-sign-in.ts";
import { SignInCookies } from "../../src/dashboard/auth/sign-in-cookies.ts";
import { createPageRoute } from "../../src/dashboard/page-route.ts";
import type { PersonalSignIn } from "../../src/domain/ports/github-app.ts";
import { createHttpServer } from "../../src/http/http-server.ts";
import { ownHostsOnly } from "../../src/http/own-hosts.ts";
import { readTarget } from "../../src/http/request-target.ts";
import { TokenGate } from "../../src/http/token-gate.ts";
import { memoryStore } from "../factories/memory-store.ts";
import { createFakeClock, type FakeClock } from "../fakes/clock.ts";
import { createMemoryLog, type LogLine } from "../webhooks/memory-log.ts";
import { undescribed } from "./described.ts";
import { pageParts } from "./page-parts.ts";

export const TOKEN = "a token of the tests";
export const asOperator = { authorization: `Bearer ${TOKEN}` };

/** The dashboard as it is served, over a database in memory, with what its acts asked of the engine. */
export interface Served {
  readonly store: OpenStore;
  readonly clock: FakeClock;
  readonly url: string;
  readonly acts: readonly { readonly path: string; readonly body: object }[];
  readonly logged: readonly LogLine[];
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Signs in with the token; what a page of ours sends from then on. */
  page(): Promise<Record<string, string>>;
}

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** `over` = a database that another one keeps and closes. */
export async function serve(
  parts: Partial<DashboardParts> = {},
  signIn: PersonalSignIn | null = null,
  over?: Pick<Served, "store" | "clock">,
): Promise<Served> {
  const store = over?.store ?? memoryStore();
  const clock = over?.clock ?? createFakeClock(1_000_000);
  const acts: { path: string; body: object }[] = [];
  const log = createMemoryLog();
  const events = new EventStreams({ store, clock, log });
  const api = createApi({
    isUrgent: () => false,
    store,
    events,
    gate: new TokenGate(TOKEN, { now: () => clock.now(), log }),
    notReady: () => Promise.resolve(null),
    limitWaits: () => [],
    page: pageParts({
      act: async (path, body) => {
        acts.push({ path, body });
        return { status: 200, body: { done: true } };
      },
      ...parts,
    }),
    clock,
    log,
  });
  const shown = createPageRoute(
    signIn === null
      ? null
      : {
          signIns: new GitHubSignIns({ signIn, key: TOKEN, now: () => clock.now(), log }),
          cookies: new SignInCookies(TOKEN, () => clock.now(), store.signOuts),
        },
  );
  const server = createHttpServer([ownHostsOnly([], []), api, shown], { log }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    events.close();
    server.closeAllConnections();
    server.close();
    if (over === undefined) await store.close();
  });
  const { port }: AddressInfo = JSON.parse(JSON.stringify(server.address()));
  const url = `http://127.0.0.1:${port}`;
  const served: Served = {
    store,
    clock,
    url,
    acts,
    logged: log.lines,
    get: async (path, headers = {}) =>
      asDescribed("GET", path, await reply(await fetch(`${url}${path}`, { headers, redirect: "manual" }))),
    post: async (path, body, headers = {}) => {
      const answered = await fetch(`${url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      });
      const given = await reply(answered);
      // What the acts of a test's own answer is not described.
      return answered.ok && acts.length > 0 ? given : asDescribed("POST", path, given);
    },
    page: async () => {
      const signed = await served.post("/api/sign-in", { token: TOKEN });
      return pageOf(served, signed.headers.get("set-cookie") ?? "");
    },
  };
  return served;
}

/** Fails where the API answers something that its document does not describe. */
function asDescribed(method: string, path: string, given: Reply): Reply {
  const target = readTarget(path);
  const isOurs = target !== null && (target.segments[0] === "api" || target.path.endsWith("z"));
  if (isOurs) expect(undescribed({ method, segments: target.segments }, given)).toBeNull();
  return given;
}

/** What a page of ours sends that was given this cookie. */
export async function pageOf(served: Served, setCookie: string): Promise<Record<string, string>> {
  const [cookie = ""] = setCookie.split(";");
  const { body } = await served.get("/api/me", { cookie });
  const { page }: { page: string } = JSON.parse(JSON.stringify(body));
  return { cookie, "x-flotilla-page": page, origin: served.url };
}

async function reply(response: Response): Promise<Reply> {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}
