import {
  addLabels,
  createLabel,
  deleteLabel,
  findLabel,
  removeLabelByName,
  setLabels,
  updateLabel,
} from "../acts/labels.ts";
import { type Answer, created, noContent, notFound, ok } from "../http/answer.ts";
import { isObject, optionalText, requiredText } from "../http/fields.ts";
import { paged } from "../http/paging.ts";
import { type Call, type Route, repositoryRoute } from "../http/route.ts";
import { renderLabel } from "../render/issue.ts";
import type { Issue, Label, Repository } from "../world/records.ts";
import { issueOf } from "./find.ts";

const all = "/repos/{owner}/{repo}/labels";
const ofIssue = "/repos/{owner}/{repo}/issues/{issue_number}/labels";

/** Routes of a repository's labels and of those on an issue or pull request. */
export const labelRoutes: Route[] = [
  repositoryRoute(`GET ${all}`, "issues:read", (call, repository) =>
    paged(call, repository.labels, (label) => renderLabel(call.world, repository, label)),
  ),
  repositoryRoute(`POST ${all}`, "issues:write", (call, repository) => {
    const { world, body, actor } = call;
    const name = requiredText(body, "name");
    const color = optionalText(body, "color") ?? undefined;
    const label = createLabel(world, repository, actor.account, {
      name,
      color,
      description: optionalText(body, "description"),
    });
    return created(renderLabel(world, repository, label));
  }),
  repositoryRoute(`GET ${all}/{name}`, "issues:read", (call, repository) =>
    ok(renderLabel(call.world, repository, known(call, repository))),
  ),
  repositoryRoute(`PATCH ${all}/{name}`, "issues:write", (call, repository) => {
    const { world, body, actor } = call;
    const label = known(call, repository);
    updateLabel(world, repository, actor.account, label, {
      name: optionalText(body, "new_name") ?? undefined,
      color: optionalText(body, "color") ?? undefined,
      description: optionalText(body, "description"),
    });
    return ok(renderLabel(world, repository, label));
  }),
  repositoryRoute(`DELETE ${all}/{name}`, "issues:write", (call, repository) => {
    deleteLabel(call.world, repository, call.actor.account, known(call, repository));
    return noContent;
  }),
  repositoryRoute(`GET ${ofIssue}`, "issues:read", (call, repository) => {
    const issue = issueOf(call, repository);
    return paged(call, issue.labels, (label) => renderLabel(call.world, repository, label));
  }),
  repositoryRoute(
    `POST ${ofIssue}`,
    "issues:write",
    (call, repository) => {
      const issue = issueOf(call, repository);
      addLabels(call.world, repository, call.actor.account, issue, names(call));
      return shown(call, repository, issue);
    },
    "triage",
  ),
  repositoryRoute(
    `PUT ${ofIssue}`,
    "issues:write",
    (call, repository) => {
      const issue = issueOf(call, repository);
      setLabels(call.world, repository, call.actor.account, issue, names(call));
      return shown(call, repository, issue);
    },
    "triage",
  ),
  repositoryRoute(
    `DELETE ${ofIssue}`,
    "issues:write",
    (call, repository) => {
      setLabels(call.world, repository, call.actor.account, issueOf(call, repository), []);
      return noContent;
    },
    "triage",
  ),
  repositoryRoute(
    `DELETE ${ofIssue}/{name}`,
    "issues:write",
    (call, repository) => {
      const issue = issueOf(call, repository);
      removeLabelByName(call.world, repository, call.actor.account, issue, call.params["name"] ?? "");
      return shown(call, repository, issue);
    },
    "triage",
  ),
];

function known(call: Call, repository: Repository): Label {
  const label = findLabel(repository, call.params["name"] ?? "");
  if (label === undefined) throw notFound();
  return label;
}

function names(call: Call): string[] {
  const labels = call.body["labels"];
  if (!Array.isArray(labels)) return [];
  return labels.map((label: unknown) => (isObject(label) ? requiredText(label, "name") : String(label)));
}

function shown(call: Call, repository: Repository, issue: Issue): Answer {
  return ok(issue.labels.map((label) => renderLabel(call.world, repository, label)));
}
