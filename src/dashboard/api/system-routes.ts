import { type Answer, ok } from "../../http/answer.ts";
import { signIn, signOut, tokenGiven } from "../auth/sign-in.ts";
import {
  healthAnswer,
  meAnswer,
  notReadyAnswer,
  readyAnswer,
  signedInAnswer,
  signedOutAnswer,
} from "./answers/system.ts";
import type { ApiOptions } from "./parts.ts";
import type { ApiRoute } from "./route.ts";

/** Health, who asks, and sign-in. */
export const SYSTEM_ROUTES: readonly ApiRoute[] = [
  {
    method: "get",
    path: "/healthz",
    name: "health",
    summary: "The process lives.",
    group: "system",
    open: true,
    answer: healthAnswer,
    // A process whose database is away lives: a restart would not help.
    run: async ({ paused }) => ok({ status: "ok", paused: await paused() }),
  },
  {
    method: "get",
    path: "/readyz",
    name: "ready",
    summary: "The process is ready for work.",
    group: "system",
    open: true,
    answer: readyAnswer,
    unavailable: notReadyAnswer,
    run: async ({ options, paused }) => {
      const why = await options.notReady();
      if (why !== null) return notReady(why);
      const known = await paused();
      if (known === "unknown") return notReady("database_away");
      return ok({ status: "ready", paused: known, github: limitsJson(options) });
    },
  },
  {
    method: "get",
    path: "/api/me",
    name: "me",
    summary: "Who asks.",
    group: "system",
    answer: meAnswer,
    run: async ({ site }, { rights, cookies, request }) =>
      ok({ viewer: rights.viewer, page: cookies.pageToken(request), site }),
  },
  {
    method: "post",
    path: "/api/sign-in",
    name: "signIn",
    summary: "Exchanges the operator's token for a cookie; the page does this.",
    group: "system",
    open: true,
    body: tokenGiven,
    answer: signedInAnswer,
    run: async ({ options: { gate } }, { request, cookies, body }) =>
      signIn(tokenGiven.parse(body), { request, cookies, gate }),
  },
  {
    method: "post",
    path: "/api/sign-out",
    name: "signOut",
    summary: "Ends the sign-in of the cookie; the page does this.",
    group: "system",
    open: true,
    answer: signedOutAnswer,
    run: async (_, { request, cookies }) => signOut(request, cookies),
  },
];

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
