import { hasRole } from "../auth/allow.ts";
import { renderAccount } from "../render/account.ts";
import type { Account, Issue, Repository } from "../world/records.ts";
import type { World } from "../world/world.ts";
import { emitIssue, stampUpdated } from "./emit.ts";

/** Returns the people who can be assigned: those with write access. */
export function assignable(world: World, repository: Repository): Account[] {
  return [...world.accounts.values()].filter(
    (account) => account.type === "User" && hasRole(repository, account, "write"),
  );
}

/** Assigns people. Like GitHub, silently ignores logins that cannot be assigned. */
export function assign(
  world: World,
  repository: Repository,
  sender: Account,
  issue: Issue,
  logins: readonly string[],
): void {
  for (const account of assignable(world, repository)) {
    if (!named(logins, account) || issue.assignees.includes(account)) continue;
    issue.assignees.push(account);
    stampUpdated(world, issue);
    emitIssue(world, repository, issue, sender, "assigned", { assignee: renderAccount(world, account) });
  }
}

export function unassign(
  world: World,
  repository: Repository,
  sender: Account,
  issue: Issue,
  logins: readonly string[],
): void {
  for (const account of issue.assignees.filter((entry) => named(logins, entry))) {
    issue.assignees = issue.assignees.filter((entry) => entry !== account);
    stampUpdated(world, issue);
    emitIssue(world, repository, issue, sender, "unassigned", { assignee: renderAccount(world, account) });
  }
}

export function setAssignees(
  world: World,
  repository: Repository,
  sender: Account,
  issue: Issue,
  logins: readonly string[],
): void {
  const gone = issue.assignees.filter((account) => !named(logins, account)).map((account) => account.login);
  unassign(world, repository, sender, issue, gone);
  assign(world, repository, sender, issue, logins);
}

function named(logins: readonly string[], account: Account): boolean {
  return logins.some((login) => login.toLowerCase() === account.login.toLowerCase());
}
