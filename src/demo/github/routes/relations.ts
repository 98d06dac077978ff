import {
  addBlockedBy,
  addSubIssue,
  issueAnywhere,
  issueById,
  removeBlockedBy,
  removeSubIssue,
} from "../acts/dependencies.ts";
import { created, notFound, ok } from "../http/answer.ts";
import { optionalBoolean, requiredInteger } from "../http/fields.ts";
import { paged } from "../http/paging.ts";
import { type Route, repositoryRoute } from "../http/route.ts";
import { renderIssue } from "../render/issue.ts";
import type { Issue } from "../world/records.ts";
import type { World } from "../world/world.ts";
import { issueOf } from "./find.ts";

const issue = "/repos/{owner}/{repo}/issues/{issue_number}";

/** Renders an issue as its own repository shows it. */
function rendered(world: World, entry: Issue): Record<string, unknown> {
  return renderIssue(world, issueAnywhere(world, entry.id).repository, entry);
}

/** Routes of dependencies between issues and of sub-issues. */
export const relationRoutes: Route[] = [
  repositoryRoute(`GET ${issue}/dependencies/blocked_by`, "issues:read", (call, repository) =>
    paged(call, issueOf(call, repository).blockedBy, (entry) => rendered(call.world, entry)),
  ),
  repositoryRoute(`GET ${issue}/dependencies/blocking`, "issues:read", (call, repository) => {
    const self = issueOf(call, repository);
    const issues = [...call.world.repositories.values()].flatMap((one) => [...one.issues.values()]);
    const blocked = issues.filter((entry) => entry.blockedBy.includes(self));
    return paged(call, blocked, (entry) => rendered(call.world, entry));
  }),
  repositoryRoute(
    `POST ${issue}/dependencies/blocked_by`,
    "issues:write",
    (call, repository) => {
      const { issue: blocking } = issueAnywhere(call.world, requiredInteger(call.body, "issue_id"));
      addBlockedBy(call.world, repository, call.actor.account, issueOf(call, repository), blocking);
      return created(rendered(call.world, blocking));
    },
    "triage",
  ),
  repositoryRoute(
    `DELETE ${issue}/dependencies/blocked_by/{issue_id}`,
    "issues:write",
    (call, repository) => {
      const { issue: blocking } = issueAnywhere(call.world, Number(call.params["issue_id"]));
      removeBlockedBy(call.world, repository, call.actor.account, issueOf(call, repository), blocking);
      return ok(rendered(call.world, blocking));
    },
    "triage",
  ),
  repositoryRoute(`GET ${issue}/sub_issues`, "issues:read", (call, repository) =>
    paged(call, issueOf(call, repository).subIssues, (entry) => renderIssue(call.world, repository, entry)),
  ),
  repositoryRoute(`GET ${issue}/parent`, "issues:read", (call, repository) => {
    const { parent } = issueOf(call, repository);
    if (parent === null) throw notFound();
    return ok(renderIssue(call.world, repository, parent));
  }),
  repositoryRoute(
    `POST ${issue}/sub_issues`,
    "issues:write",
    (call, repository) => {
      const child = issueById(repository, requiredInteger(call.body, "sub_issue_id"));
      const replace = optionalBoolean(call.body, "replace_parent") ?? false;
      const parent = issueOf(call, repository);
      addSubIssue(call.world, repository, call.actor.account, parent, child, replace);
      return created(renderIssue(call.world, repository, parent));
    },
    "triage",
  ),
  repositoryRoute(
    `DELETE ${issue}/sub_issue`,
    "issues:write",
    (call, repository) => {
      const child = issueById(repository, requiredInteger(call.body, "sub_issue_id"));
      const parent = issueOf(call, repository);
      removeSubIssue(call.world, repository, call.actor.account, parent, child);
      return ok(renderIssue(call.world, repository, parent));
    },
    "triage",
  ),
];
