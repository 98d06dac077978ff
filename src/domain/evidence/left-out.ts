const MOST_NAMED = 10;

/** Returns why no commit can hold a path; null where one can. A path that ends with a slash is a nested repository. */
export function whyLeftOut(path: string): string | null {
  if (path.endsWith("/")) return "another repository within this one";
  return path.split(/[/\\]/).some((part) => /^(?:\.git|git~1)[. ]*(?::|$)/i.test(part))
    ? "git refuses a name that a file system may read as `.git`"
    : null;
}

/** Returns what the agent reads of paths that its commit left out; empty where there are none. */
export function leftOutSentence(paths: readonly string[]): string {
  if (paths.length === 0) return "";
  const named = paths
    .slice(0, MOST_NAMED)
    .map((path) => `${JSON.stringify(path)} (${whyLeftOut(path) ?? "git refuses its name"})`);
  const more = paths.length > MOST_NAMED ? `, and ${paths.length - MOST_NAMED} more` : "";
  return `No commit can hold these, so they were left out: ${named.join(", ")}${more}. Rename or delete them.`;
}
