import { assignable } from "../acts/assignees.ts";
import { archiveRepository, renameRepository } from "../acts/change-repository.ts";
import { roleOf } from "../auth/allow.ts";
import { notFound, ok } from "../http/answer.ts";
import { optionalBoolean, requiredText } from "../http/fields.ts";
import { paged } from "../http/paging.ts";
import { type Route, repositoryRoute } from "../http/route.ts";
import { renderAccount } from "../render/account.ts";
import { renderFullRepository } from "../render/repository.ts";

/** The legacy value of `permission` for each role; `role_name` has the exact one. */
const legacy = {
  admin: "admin",
  maintain: "write",
  write: "write",
  triage: "read",
  read: "read",
  none: "none",
} as const;

export const repositoryRoutes: Route[] = [
  repositoryRoute("GET /repos/{owner}/{repo}", "metadata:read", ({ world }, repository) =>
    ok(renderFullRepository(world, repository)),
  ),
  repositoryRoute(
    "PATCH /repos/{owner}/{repo}",
    "administration:write",
    ({ world, body, actor }, repository) => {
      const archived = optionalBoolean(body, "archived");
      if (body["name"] !== undefined)
        renameRepository(world, repository, actor.account, requiredText(body, "name"));
      if (archived !== undefined) archiveRepository(world, repository, actor.account, archived);
      return ok(renderFullRepository(world, repository));
    },
    "admin",
  ),
  repositoryRoute(
    "GET /repos/{owner}/{repo}/collaborators/{username}/permission",
    "metadata:read",
    ({ world, params }, repository) => {
      const account = world.accounts.get(params["username"]?.toLowerCase() ?? "");
      if (account === undefined) throw notFound();
      const role = roleOf(repository, account);
      const at = (roles: readonly string[]): boolean => roles.includes(role);
      const permissions = {
        admin: at(["admin"]),
        maintain: at(["admin", "maintain"]),
        push: at(["admin", "maintain", "write"]),
        triage: at(["admin", "maintain", "write", "triage"]),
        pull: role !== "none",
      };
      const user = { ...renderAccount(world, account), permissions, role_name: role };
      return ok({ permission: legacy[role], role_name: role, user });
    },
    "write",
  ),
  repositoryRoute("GET /repos/{owner}/{repo}/assignees", "metadata:read", (call, repository) =>
    paged(call, assignable(call.world, repository), (account) => renderAccount(call.world, account)),
  ),
];
