import type { GitHubIssue } from "../../src/domain/ports/github.ts";
import type { FakeRepository } from "./github-world.ts";

/** Returns the newest issues of the repository, without pull requests, newest first. */
export function newest(repository: FakeRepository, count: number): readonly GitHubIssue[] {
  const issues = [...repository.issues.values()].filter(({ isPullRequest }) => !isPullRequest);
  return issues.toReversed().slice(0, count);
}

/** Returns the issues and pull requests that hold every word of the query, newest first. */
export function found(repository: FakeRepository, query: string, count: number): readonly GitHubIssue[] {
  const words = query.toLowerCase().split(" ");
  return [...repository.issues.values()]
    .filter(({ title, body }) => words.every((word) => `${title} ${body}`.toLowerCase().includes(word)))
    .toReversed()
    .slice(0, count);
}
