import type { DomainEventOf } from "../events/domain-event.ts";
import { type ChangeSet, decisionOnly, type IssueState } from "../kernel/change-set.ts";

/** The commits and pull requests that a text says it reverts. */
export interface Reverts {
  readonly commits: readonly string[];
  /** Numbers of pull requests of the same repository. */
  readonly pulls: readonly number[];
}

/**
 * Parses the text of a commit or pull request as `git revert` and GitHub's Revert button write it. `repository` is the
 * full name of the repository with that text.
 */
export function parseReverts(text: string, repository: string): Reverts {
  const commits = [
    ...text.matchAll(/^[^\w\n\r\u2028\u2029]*This reverts commit ([0-9a-f]{40}(?:[0-9a-f]{24})?)\b/gm),
  ];
  const pulls = [...text.matchAll(/^[^\w\n\r\u2028\u2029]*Reverts ([\w.-]+\/[\w.-]+)?#([1-9]\d{0,9})\b/gm)];
  return {
    commits: commits.map(([, sha]) => String(sha)),
    pulls: pulls
      .filter(([, where]) => where === undefined || where.toLowerCase() === repository.toLowerCase())
      .map(([, , number]) => Number(number)),
  };
}

/**
 * Records a revert of merged work. The task stays merged: a person starts new work with a command, and the ledger
 * counts the revert.
 */
export function onReverted({ actor }: DomainEventOf<"reverted">, { task }: IssueState): ChangeSet {
  if (task?.state !== "MERGED")
    return decisionOnly("nobody_concerned", `what @${actor.login} reverted is not work that Flotilla merged`);
  return decisionOnly("nothing_to_do", `@${actor.login} reverted its merged work`, {
    change: "reopen the issue or say `/flotilla start` to have the work done again",
  });
}
