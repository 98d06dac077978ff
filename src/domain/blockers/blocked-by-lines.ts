import type { IssueRef } from "./blockers.ts";

/**
 * What an issue is blocked by, as lines of a task list, for a GitHub that keeps no dependencies of its own. They are read
 * back: a line that a person adds counts, and one that is ticked off by hand blocks no more.
 */
export function blockedByLines(
  blockers: readonly (IssueRef & { readonly open: boolean })[],
): readonly string[] {
  return blockers.map(
    ({ repository, number, open }) => `- [${open ? " " : "x"}] blocked by ${repository}#${number}`,
  );
}

const LINE = /^- \[([ xX])\] blocked by ([A-Za-z0-9-]+\/[A-Za-z0-9._-]+)#([1-9]\d{0,8})\s*$/;

/** Returns the lines of that form in a comment. */
export function readBlockedByLines(body: string): readonly (IssueRef & { readonly ticked: boolean })[] {
  return body.split(/\r?\n/).flatMap((line) => {
    const [, mark, repository, number] = LINE.exec(line) ?? [];
    if (repository === undefined) return [];
    return [{ repository, number: Number(number), ticked: mark !== " " }];
  });
}
