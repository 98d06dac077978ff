import { asPull } from "./acts/emit.ts";
import { commentsOf } from "./render/issue.ts";
import type { Comment, Issue, PullRequest, Repository } from "./world/records.ts";

/**
 * Direct access to the local GitHub's records, for tests and the timeline. Records are not copied: do not change them.
 */
export interface State {
  /** Throws if there is none. */
  readonly issue: (number: number) => Issue;
  readonly issues: () => readonly Issue[];
  readonly comments: (number: number) => readonly Comment[];
  readonly labels: (number: number) => readonly string[];
  readonly pulls: () => readonly PullRequest[];
  /** Throws if there is none. */
  readonly pull: (number: number) => PullRequest;
  readonly repository: Repository;
}

export function readState(repository: Repository): State {
  const issue = (number: number): Issue => {
    const found = repository.issues.get(number);
    if (found === undefined) throw new Error(`${repository.name} has no issue #${number}.`);
    return found;
  };
  return {
    repository,
    issue,
    issues: () => [...repository.issues.values()].filter((entry) => entry.pull === null),
    comments: (number) => commentsOf(repository, number),
    labels: (number) => issue(number).labels.map((label) => label.name),
    pulls: () => [...repository.issues.values()].flatMap((entry) => asPull(entry) ?? []),
    pull: (number) => {
      const found = asPull(issue(number));
      if (found === undefined) throw new Error(`#${number} is not a pull request.`);
      return found;
    },
  };
}
