import type { VerdictComment } from "./verdict.ts";

/** Returns the lines of each file, as the new side has them, that a unified diff shows. */
export function linesShown(patch: string): ReadonlyMap<string, ReadonlySet<number>> {
  const shown = new Map<string, Set<number>>();
  let lines = new Set<number>();
  let next = 0;
  let inHunk = false;
  for (const line of patch.split("\n")) {
    const hunk = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (hunk !== null) {
      next = Number(hunk[1]);
      inHunk = true;
    } else if (line.startsWith("diff --git ")) {
      inHunk = false;
    } else if (!inHunk && line.startsWith("+++ ")) {
      lines = new Set();
      shown.set(line.replace(/^\+\+\+ (?:b\/)?/, "").trimEnd(), lines);
    } else if (inHunk && (line.startsWith("+") || line.startsWith(" "))) {
      lines.add(next);
      next += 1;
    }
  }
  return shown;
}

/**
 * Returns each comment with whether it can be placed at its line: GitHub refuses comments on lines that the diff does
 * not show.
 */
export function placed(
  comments: readonly Omit<VerdictComment, "inline">[],
  patch: string,
): readonly VerdictComment[] {
  const shown = linesShown(patch);
  return comments.map((comment) => ({
    ...comment,
    inline: comment.line !== null && shown.get(comment.path)?.has(comment.line) === true,
  }));
}
