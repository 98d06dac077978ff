import type { IssueRef } from "./blockers.ts";

/**
 * Writes an issue's blockers as a task list, for a GitHub server without dependencies. Flotilla reads the list back: a
 * line that a person adds is a blocker, and one that a person ticks blocks no more.
 */
export function blockedByLines(
  blockers: readonly (IssueRef & { readonly open: boolean })[],
): readonly string[] {
  return blockers.map(
    ({ repository, number, open }) => `- [${open ? " " : "x"}] blocked by ${repository}#${number}`,
  );
}

const LINE = /^- \[([ xX])\] blocked by ([A-Za-z0-9-]+\/[A-Za-z0-9._-]+)#([1-9]\d{0,8})\s*$/;

/** Returns the blockers that a comment lists in that form. */
export function readBlockedByLines(body: string): readonly (IssueRef & { readonly ticked: boolean })[] {
  return body.split(/\r?\n/).flatMap((line) => {
    const [, box, repository, number] = LINE.exec(line) ?? [];
    if (repository === undefined) return [];
    return [{ repository, number: Number(number), ticked: box !== " " }];
  });
}
