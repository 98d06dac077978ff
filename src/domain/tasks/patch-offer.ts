import { shortCommit } from "../messages/commit-link.ts";

/** Characters of a patch in a comment; GitHub accepts 65,536 in all. */
export const MOST_PATCH = 50_000;

/**
 * Returns the comment that offers a coder's change to a person's pull request; null where it changed nothing. `patch` may be cut
 * beyond `MOST_PATCH`.
 */
export function patchOffer(offered: {
  readonly role: string;
  readonly patch: string;
  readonly files: readonly string[];
  /** The head of the pull request that the patch goes on top of. */
  readonly onto: string;
}): string | null {
  const { role, patch, files, onto } = offered;
  if (files.length === 0) return null;
  const what = `**${role}** offers a change of ${files.length === 1 ? "1 file" : `${files.length} files`} to this pull request, on top of ${shortCommit(onto)}. Flotilla pushes nothing to its branch.`;
  if (patch.length > MOST_PATCH)
    return [
      what,
      "",
      "The patch is too long for a comment. The status comment has the command that restores the work from its archive.",
    ].join("\n");
  // Longer than any run of backticks in the patch, so that nothing in it ends the block.
  const fence = "`".repeat(1 + Math.max(2, ...(patch.match(/`+/g) ?? []).map((run) => run.length)));
  return [
    what,
    "",
    "<details><summary>The patch</summary>",
    "",
    `${fence}diff`,
    // The last line may be an empty one of the file, which begins with a space.
    patch.replace(/\n$/, ""),
    fence,
    "",
    "</details>",
    "",
    "To take it, save it as `flotilla.patch`, then run `git apply flotilla.patch` on the branch and commit.",
  ].join("\n");
}
