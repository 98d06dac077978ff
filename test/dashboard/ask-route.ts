import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect } from "vitest";
import { EventStreams } from "../../src/dashboard/api/event-streams.ts";
import type { DashboardParts } from "../../src/dashboard/api/parts.ts";
import { ReadTurns } from "../../src/dashboard/api/read-turns.ts";
import { bodyOf, findRoute } from "../../src/dashboard/api/route.ts";
import { ROUTES } from "../../src/dashboard/api/routes.ts";
import { PersonalTokens } from "../../src/dashboard/auth/personal-tokens.ts";
import { SignInCookies } from "../../src/dashboard/auth/sign-in-cookies.ts";
import { rightsOf } from "../../src/dashboard/auth/viewer.ts";
import type { Answer } from "../../src/http/answer.ts";
import { readTarget } from "../../src/http/request-target.ts";
import { TokenGate } from "../../src/http/token-gate.ts";
import type { Rig } from "../engine/rig.ts";
import { undescribed } from "./described.ts";
import { pageParts } from "./page-parts.ts";

/** Asks a route of the API as the operator, without a server between. */
export async function askRoute(
  { store, clock }: Pick<Rig, "store" | "clock">,
  method: "get" | "post",
  {
    url,
    body,
    parts,
  }: { readonly url: string; readonly body?: object; readonly parts: Partial<DashboardParts> },
): Promise<Answer> {
  const target = readTarget(url);
  const found = target && findRoute(ROUTES, method, target.segments);
  if (target === null || found == null) throw new Error(`no route: ${url}`);
  const { route, at } = found;
  const wish = bodyOf(route.body, body);
  if ("refused" in wish) return wish.refused;
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const page = pageParts(parts);
  const now = () => clock.now();
  const options = {
    store,
    events: new EventStreams({ store, clock, log }),
    gate: new TokenGate("nobody sends it", { now, log }),
    notReady: async () => null,
    limitWaits: () => [],
    page,
    clock,
    log,
    isUrgent: () => false,
  };
  const rights = rightsOf({ kind: "operator" }, { ...page, repositories: store.repositories });
  const cookies = new SignInCookies("nobody sends it", now, store.signOuts);
  const tokens = new PersonalTokens("nobody sends it", now, store.signOuts);
  const request = new IncomingMessage(new Socket());
  const answer = await route.run(
    { ...page, store, options, turns: new ReadTurns(), paused: async () => "none", now: now() },
    { request, cookies, tokens, at, query: target.query, rights, body: wish.body },
  );
  const given = { status: answer.status, body: JSON.parse(JSON.stringify(answer.body)) };
  expect(undescribed({ method, segments: target.segments }, given)).toBeNull();
  return answer;
}
