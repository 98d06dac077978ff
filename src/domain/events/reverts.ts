/** What a commit's message or a pull request's text says that it takes back. */
export interface Reverts {
  readonly commits: readonly string[];
  /** Numbers of pull requests of the same repository. */
  readonly pulls: readonly number[];
}

/** Reads what git's `revert` and GitHub's button of that name write; `repository` is the full name of where it stands. */
export function revertsIn(text: string, repository: string): Reverts {
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
