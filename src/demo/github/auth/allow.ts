import { forbidden, notFound } from "../http/answer.ts";
import type { Need } from "../http/route.ts";
import type { Account, Repository, Role } from "../world/records.ts";
import type { Actor } from "../world/world.ts";

const ranks: Readonly<Record<Role, number>> = {
  none: 0,
  read: 1,
  triage: 2,
  write: 3,
  maintain: 4,
  admin: 5,
};

/** Returns the role of an account; everybody has at least read access to a public repository. */
export function roleOf(repository: Repository, account: Account): Role {
  const role = repository.roles.get(account.login.toLowerCase()) ?? "none";
  return role === "none" && !repository.private ? "read" : role;
}

export function hasRole(repository: Repository, account: Account, role: Role): boolean {
  return ranks[roleOf(repository, account)] >= ranks[role];
}

/** Returns whether the actor has the role (a person) or the permission (an installation) that is needed. */
export function mayDo(actor: Actor, repository: Repository, need: Need): boolean {
  if (actor.kind === "person") return hasRole(repository, actor.account, need.role);
  if (actor.kind === "app" || !actor.repositories.has(repository.id)) return false;
  const [family = "", level] = need.permission.split(":");
  const held = family === "metadata" ? "read" : actor.permissions[family];
  return held === "write" || (held === "read" && level === "read");
}

/**
 * Throws 404 if the actor may not see the repository, 403 if it may not do this. `alternative` is a second permission
 * that is enough (issues and pull requests share routes).
 */
export function demand(actor: Actor, repository: Repository, need: Need, alternative?: Need): void {
  if (!sees(actor, repository)) throw notFound();
  if (mayDo(actor, repository, need) || (alternative !== undefined && mayDo(actor, repository, alternative)))
    return;
  if (actor.kind === "person") throw forbidden("Must have the needed rights to Repository.");
  throw forbidden();
}

function sees(actor: Actor, repository: Repository): boolean {
  if (!repository.private) return true;
  if (actor.kind === "person") return hasRole(repository, actor.account, "read");
  return actor.kind === "installation" && actor.repositories.has(repository.id);
}
