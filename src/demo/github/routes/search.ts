import { mayDo } from "../auth/allow.ts";
import { ApiError } from "../http/answer.ts";
import { pagedWithCount } from "../http/paging.ts";
import type { Call, Route } from "../http/route.ts";
import { renderIssue } from "../render/issue.ts";
import type { Issue, Repository } from "../world/records.ts";

/** A part of a query: `name:value`, or a word without a name. */
interface Part {
  readonly name: string;
  readonly value: string;
}

/** The route of GitHub's search for issues and pull requests, in one repository that the query names. */
export const searchRoutes: Route[] = [{ operation: "GET /search/issues", kind: "any", handle: search }];

function search(call: Call): ReturnType<typeof pagedWithCount> {
  const parts = partsOf(call.query.get("q") ?? "");
  const repository = repositoryOf(call, parts);
  const found = [...repository.issues.values()].filter((issue) => parts.every((part) => fits(issue, part)));
  const newest = found.toSorted((a, b) => b.number - a.number);
  return pagedWithCount(
    call,
    "items",
    newest,
    (issue) => ({ ...renderIssue(call.world, repository, issue), body: issue.body ?? "", score: 1 }),
    { incomplete_results: false, search_type: "lexical" },
  );
}

function partsOf(query: string): Part[] {
  const all = query.matchAll(/(?:([a-z-]+):)?(?:"([^"]*)"|(\S+))/g);
  return [...all].map(([, name = "", quoted, plain = ""]) => ({
    name,
    value: (quoted ?? plain).toLowerCase(),
  }));
}

/** Throws GitHub's 422 where the query names no repository, or one that the caller may not see. */
function repositoryOf({ world, actor }: Call, parts: readonly Part[]): Repository {
  const name = parts.find((part) => part.name === "repo")?.value ?? "";
  const repository = world.repositories.get(name);
  if (repository === undefined || !mayDo(actor, repository, { permission: "issues:read", role: "read" }))
    throw new ApiError(422, "Validation Failed");
  return repository;
}

function fits(issue: Issue, { name, value }: Part): boolean {
  switch (name) {
    case "repo":
      return true;
    case "label":
      return issue.labels.some((label) => label.name.toLowerCase() === value);
    case "is":
    case "state":
    case "type":
      return value === (issue.pull ? "pr" : "issue") || value === issue.state;
    default:
      return `${issue.title} ${issue.body ?? ""}`.toLowerCase().includes(value);
  }
}
