import { assign, setAssignees, unassign } from "../acts/assignees.ts";
import { closeIssue, editIssue, openIssue, reopenIssue, setLock, setMilestone } from "../acts/issues.ts";
import { setLabels } from "../acts/labels.ts";
import { mayDo } from "../auth/allow.ts";
import { ApiError, created, forbidden, noContent, ok } from "../http/answer.ts";
import {
  isObject,
  type JsonObject,
  optionalChoice,
  optionalText,
  optionalTexts,
  requiredText,
} from "../http/fields.ts";
import { paged } from "../http/paging.ts";
import { type Call, type Route, repositoryRoute } from "../http/route.ts";
import { inForm } from "../render/body-form.ts";
import { renderIssue } from "../render/issue.ts";
import { renderIssueEvent } from "../render/issue-event.ts";
import type { Issue, Milestone, Repository } from "../world/records.ts";
import { demandAuthorOr, issueOf, milestoneByNumber, sorted, viaApp } from "./find.ts";

const one = "/repos/{owner}/{repo}/issues/{issue_number}";

/** Routes of issues, and of the parts that they share with pull requests. */
export const issueRoutes: Route[] = [
  repositoryRoute("GET /repos/{owner}/{repo}/issues", "issues:read", (call, repository) =>
    paged(call, listIssues(call, repository), (issue) => renderIssue(call.world, repository, issue)),
  ),
  repositoryRoute("POST /repos/{owner}/{repo}/issues", "issues:write", open, "read"),
  repositoryRoute(`GET ${one}`, "issues:read", (call, repository) =>
    inForm(call, renderIssue(call.world, repository, issueOf(call, repository))),
  ),
  repositoryRoute(`GET ${one}/events`, "issues:read", (call, repository) =>
    paged(call, issueOf(call, repository).events, (event) => renderIssueEvent(call.world, repository, event)),
  ),
  repositoryRoute(`PATCH ${one}`, "issues:write", change, "read"),
  repositoryRoute(`POST ${one}/assignees`, "issues:write", (call, repository) => {
    const issue = issueOf(call, repository);
    assign(call.world, repository, call.actor.account, issue, optionalTexts(call.body, "assignees") ?? []);
    return created(renderIssue(call.world, repository, issue));
  }),
  repositoryRoute(`DELETE ${one}/assignees`, "issues:write", (call, repository) => {
    const issue = issueOf(call, repository);
    unassign(call.world, repository, call.actor.account, issue, optionalTexts(call.body, "assignees") ?? []);
    return ok(renderIssue(call.world, repository, issue));
  }),
  repositoryRoute(`PUT ${one}/lock`, "issues:write", (call, repository) => {
    const reason =
      optionalChoice(call.body, "lock_reason", ["off-topic", "too heated", "resolved", "spam"]) ?? null;
    setLock(call.world, repository, call.actor.account, issueOf(call, repository), { locked: true, reason });
    return noContent;
  }),
  repositoryRoute(`DELETE ${one}/lock`, "issues:write", (call, repository) => {
    setLock(call.world, repository, call.actor.account, issueOf(call, repository), {
      locked: false,
      reason: null,
    });
    return noContent;
  }),
];

function listIssues(call: Call, repository: Repository): Issue[] {
  const { query } = call;
  const state = query.get("state") ?? "open";
  const labels = (query.get("labels") ?? "").split(",").filter((name) => name !== "");
  const since = query.get("since");
  const creator = query.get("creator")?.toLowerCase();
  const assignee = query.get("assignee")?.toLowerCase();
  const fits = (issue: Issue): boolean =>
    (state === "all" || issue.state === state) &&
    labels.every((name) => issue.labels.some((label) => label.name.toLowerCase() === name.toLowerCase())) &&
    (since === null || Date.parse(issue.updatedAt) >= Date.parse(since)) &&
    (creator === undefined || issue.author.login.toLowerCase() === creator) &&
    (assignee === undefined ||
      (assignee === "none" && issue.assignees.length === 0) ||
      (assignee === "*" && issue.assignees.length > 0) ||
      issue.assignees.some((account) => account.login.toLowerCase() === assignee));
  return sorted(call, [...repository.issues.values()].filter(fits));
}

function mayTriage(call: Call, repository: Repository): boolean {
  return mayDo(call.actor, repository, { permission: "issues:write", role: "triage" });
}

function open(call: Call, repository: Repository): ReturnType<typeof created> {
  const title = requiredText(call.body, "title");
  const body = optionalText(call.body, "body") ?? null;
  // GitHub silently drops these fields if the author may not set them.
  const trusted = mayTriage(call, repository);
  const issue = openIssue(call.world, repository, {
    author: call.actor.account,
    viaApp: viaApp(call),
    title,
    body,
    labels: trusted ? (labelNames(call.body) ?? []) : [],
    assignees: trusted ? (optionalTexts(call.body, "assignees") ?? []) : [],
    milestone: trusted ? (milestoneOf(call.body, repository) ?? null) : null,
  });
  return created(renderIssue(call.world, repository, issue));
}

function change(call: Call, repository: Repository): ReturnType<typeof ok> {
  const { world, body, actor } = call;
  const issue = issueOf(call, repository);
  const sender = actor.account;
  const title = body["title"] === undefined ? undefined : requiredText(body, "title");
  const text = optionalText(body, "body");
  const state = optionalChoice(body, "state", ["open", "closed"]);
  const reason =
    body["state_reason"] === null
      ? undefined
      : optionalChoice(body, "state_reason", ["completed", "not_planned", "duplicate", "reopened"]);
  const labels = labelNames(body);
  const assignees = optionalTexts(body, "assignees");
  const milestone = milestoneOf(body, repository);
  demandAuthorOr(
    call,
    repository,
    issue.author,
    title === undefined && text === undefined ? "triage" : "write",
  );
  const needsTriage = labels ?? assignees ?? milestone;
  if (needsTriage !== undefined && !mayTriage(call, repository))
    throw forbidden("Must have the needed rights to Repository.");
  editIssue(world, repository, sender, issue, { title, body: text });
  if (labels !== undefined) setLabels(world, repository, sender, issue, labels);
  if (assignees !== undefined) setAssignees(world, repository, sender, issue, assignees);
  if (milestone !== undefined) setMilestone(world, repository, sender, issue, milestone);
  if (state === "closed")
    closeIssue(world, repository, sender, issue, reason === "reopened" ? "completed" : reason);
  if (state === "open") reopenIssue(world, repository, sender, issue);
  return ok(renderIssue(world, repository, issue));
}

/** Reads labels, which may be names or objects with a name. */
function labelNames(body: JsonObject): string[] | undefined {
  const labels = body["labels"];
  if (labels === undefined) return undefined;
  if (!Array.isArray(labels))
    throw new ApiError(422, "Invalid request.\n\nFor 'properties/labels', the value is not an array.");
  return labels.map((label: unknown) => (isObject(label) ? requiredText(label, "name") : String(label)));
}

function milestoneOf(body: JsonObject, repository: Repository): Milestone | null | undefined {
  const number = body["milestone"];
  if (number === undefined || number === null) return number;
  return milestoneByNumber(repository, Number(number));
}
