import type { GitHubIssue } from "../../src/domain/ports/github.ts";
import type { FakeRepository } from "./github-world.ts";

/** Returns the newest issues of the repository, without pull requests, newest first. */
export function newest(repository: FakeRepository, count: number): readonly GitHubIssue[] {
  const issues = [...repository.issues.values()].filter(({ isPullRequest }) => !isPullRequest);
  return issues.toReversed().slice(0, count);
}
