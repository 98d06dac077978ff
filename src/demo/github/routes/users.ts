import { notFound, ok } from "../http/answer.ts";
import type { RateLimits } from "../http/rate-limits.ts";
import type { Route } from "../http/route.ts";
import { renderProfile } from "../render/account.ts";

/** Creates the routes of people and bots, and of the caller's rate limit. */
export function userRoutes(limits: RateLimits): Route[] {
  return [
    {
      operation: "GET /user",
      kind: "any",
      handle: ({ world, actor }) => {
        if (actor.kind !== "person") throw notFound();
        return ok(renderProfile(world, actor.account));
      },
    },
    {
      operation: "GET /users/{username}",
      kind: "any",
      handle: ({ world, params }) => {
        const account = world.accounts.get(params["username"]?.toLowerCase() ?? "");
        if (account === undefined) throw notFound();
        return ok(renderProfile(world, account));
      },
    },
    {
      operation: "GET /rate_limit",
      kind: "any",
      handle: ({ token }) => {
        const core = limits.current(token);
        const search = { ...core, limit: 30, remaining: 30, used: 0 };
        return ok({ resources: { core, search }, rate: core });
      },
    },
  ];
}
