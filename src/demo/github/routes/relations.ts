import {
  addBlockedBy,
  addSubIssue,
  issueById,
  removeBlockedBy,
  removeSubIssue,
} from "../acts/dependencies.ts";
import { created, notFound, ok } from "../http/answer.ts";
import { optionalBoolean, requiredInteger } from "../http/fields.ts";
import { paged } from "../http/paging.ts";
import { type Route, repositoryRoute } from "../http/route.ts";
import { renderIssue } from "../render/issue.ts";
import { issueOf } from "./find.ts";

const issue = "/repos/{owner}/{repo}/issues/{issue_number}";

/** How issues depend on and contain one another. */
export const relationRoutes: Route[] = [
  repositoryRoute(`GET ${issue}/dependencies/blocked_by`, "issues:read", (call, repository) =>
    paged(call, issueOf(call, repository).blockedBy, (entry) => renderIssue(call.world, repository, entry)),
  ),
  repositoryRoute(`GET ${issue}/dependencies/blocking`, "issues:read", (call, repository) => {
    const self = issueOf(call, repository);
    const blocked = [...repository.issues.values()].filter((entry) => entry.blockedBy.includes(self));
    return paged(call, blocked, (entry) => renderIssue(call.world, repository, entry));
  }),
  repositoryRoute(
    `POST ${issue}/dependencies/blocked_by`,
    "issues:write",
    (call, repository) => {
      const blocking = issueById(repository, requiredInteger(call.body, "issue_id"));
      addBlockedBy(call.world, repository, call.actor.account, issueOf(call, repository), blocking);
      return created(renderIssue(call.world, repository, blocking));
    },
    "triage",
  ),
  repositoryRoute(
    `DELETE ${issue}/dependencies/blocked_by/{issue_id}`,
    "issues:write",
    (call, repository) => {
      const blocking = issueById(repository, Number(call.params["issue_id"]));
      removeBlockedBy(call.world, repository, call.actor.account, issueOf(call, repository), blocking);
      return ok(renderIssue(call.world, repository, blocking));
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
