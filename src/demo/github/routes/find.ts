import { asPull } from "../acts/emit.ts";
import { mayDo } from "../auth/allow.ts";
import { forbidden, notFound } from "../http/answer.ts";
import type { Call } from "../http/route.ts";
import type {
  Account,
  Comment,
  Issue,
  Milestone,
  PullRequest,
  Repository,
  ReviewComment,
} from "../world/records.ts";

export function viaApp(call: Call): boolean {
  return call.actor.kind !== "person";
}

export function issueOf(call: Call, repository: Repository): Issue {
  const issue = repository.issues.get(Number(call.params["issue_number"]));
  if (issue === undefined) throw notFound();
  return issue;
}

export function pullOf(call: Call, repository: Repository): PullRequest {
  const issue = repository.issues.get(Number(call.params["pull_number"]));
  const pull = issue && asPull(issue);
  if (pull === undefined) throw notFound();
  return pull;
}

export function commentOf(call: Call, repository: Repository): Comment {
  const comment = repository.comments.get(Number(call.params["comment_id"]));
  if (comment === undefined) throw notFound();
  return comment;
}

/** Finds a comment on a line of a pull request. */
export function reviewCommentOf(call: Call, repository: Repository): ReviewComment {
  const id = Number(call.params["comment_id"]);
  const all = [...repository.issues.values()].flatMap((issue) => asPull(issue)?.pull.reviewComments ?? []);
  const comment = all.find((one) => one.id === id);
  if (comment === undefined) throw notFound();
  return comment;
}

export function milestoneByNumber(repository: Repository, number: number): Milestone {
  const found = repository.milestones.find((milestone) => milestone.number === number);
  if (found === undefined) throw notFound();
  return found;
}

/**
 * Throws 403 for a person who neither wrote the object nor has the role. An installation's permission has been checked
 * before.
 */
export function demandAuthorOr(
  call: Call,
  repository: Repository,
  author: Account,
  role: "triage" | "write",
): void {
  if (call.actor.kind !== "person" || call.actor.account === author) return;
  if (!mayDo(call.actor, repository, { permission: "issues:write", role })) {
    throw forbidden("Must have the needed rights to Repository.");
  }
}

/** Sorts issues by the query's `sort` and `direction`; newest first by default. */
export function sorted<T extends Issue>(call: Call, issues: readonly T[]): T[] {
  const key = call.query.get("sort") === "updated" ? "updatedAt" : "createdAt";
  const up = call.query.get("direction") === "asc" ? 1 : -1;
  return issues.toSorted((a, b) => up * (a[key].localeCompare(b[key]) || a.number - b.number));
}
