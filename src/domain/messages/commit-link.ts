/** Characters of a commit's id that people read. */
const SHORT = 7;

/** Returns the beginning of a commit's id, as people read it. GitHub links it where the repository has the commit. */
export function shortCommit(commit: string): string {
  return commit.slice(0, SHORT);
}

/** Returns the commit as a link on GitHub. `repository` is a full name. */
export function commitLink(repository: string, commit: string): string {
  return `[${shortCommit(commit)}](/${repository}/commit/${commit})`;
}
