import { renderIssue } from "../render/issue.ts";
import { notComputed, renderPull } from "../render/pull.ts";
import type { Account, Issue, PullRequest, Repository } from "../world/records.ts";
import { now, type World } from "../world/world.ts";
import { remember } from "./remember.ts";

/** Narrows an issue to a pull request. */
export function asPull(issue: Issue): PullRequest | undefined {
  const { pull } = issue;
  return pull === null ? undefined : Object.assign(issue, { pull });
}

/** Emits what happened to an issue: as `issues`, or as `pull_request` if it is one. */
export function emitIssue(
  world: World,
  repository: Repository,
  issue: Issue,
  sender: Account,
  action: string,
  fields: Record<string, unknown> = {},
): void {
  remember(world, issue, sender, action, fields);
  const pull = asPull(issue);
  if (pull === undefined) {
    const own = { issue: renderIssue(world, repository, issue), ...fields };
    world.emit({ event: "issues", action, repository, sender, fields: own });
  } else {
    const own = {
      number: issue.number,
      pull_request: renderPull(world, repository, pull, notComputed),
      ...fields,
    };
    world.emit({ event: "pull_request", action, repository, sender, fields: own });
  }
}

/** Sets the issue's time of change to now. */
export function stampUpdated(world: World, issue: Issue): void {
  issue.updatedAt = now(world);
}
