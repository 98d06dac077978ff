import { cutHead, fenced } from "../messages/format.ts";
import { REPOSITORY_FILE } from "./repository-file-path.ts";
import type { RepositoryFileState } from "./repository-file-state.ts";

/** Characters of faults that a comment shows, and of a line on a terminal. */
const SHOWN = 8_000;
const SHOWN_IN_LINE = 2_000;

const CORRECT = `Correct it there; check it with \`flotilla check --file ${REPOSITORY_FILE}\` before you push it`;

/**
 * Returns the comment to the repository's maintainers that its file is faulty. `held` = an earlier content without a
 * fault applies.
 */
export function faultyFileComment(faults: readonly string[], held: boolean): string {
  const inForce = held
    ? "Its last version without a fault still applies."
    : "Until it is corrected, the operator's settings apply.";
  return [
    `**\`${REPOSITORY_FILE}\` on the default branch is faulty.** ${inForce}`,
    fenced(cutHead(faults.join("\n"), SHOWN)),
    `${CORRECT}. This comment is posted once.`,
  ].join("\n\n");
}

/**
 * Returns which settings apply in a repository, and what to do next, as sentences without their full stops. `name` =
 * `owner/name`.
 */
export function repositoryFileWords(
  fileState: RepositoryFileState,
  name: string,
): { readonly what: string; readonly next: string | null } {
  switch (fileState.state) {
    case "unread":
      return {
        what: `Flotilla has not read ${REPOSITORY_FILE} yet: it does when the first webhook of this repository arrives`,
        next: null,
      };
    case "none":
      return {
        what: `There is no ${REPOSITORY_FILE} on the default branch: the operator's settings apply`,
        next: `\`flotilla onboard ${name}\` proposes one`,
      };
    case "in_force":
      return { what: `${REPOSITORY_FILE} applies, blob ${short(fileState.blob)}`, next: null };
    case "faulty":
      return {
        what: `${REPOSITORY_FILE} on the default branch is faulty, blob ${short(fileState.blob)}: ${heldWords(fileState)}`,
        next: CORRECT,
      };
  }
}

/** Returns the faults on one line for a terminal. */
export function faultsInLine(faults: readonly string[]): string {
  return cutHead(faults.join(" "), SHOWN_IN_LINE);
}

function heldWords({ blob, held }: Extract<RepositoryFileState, { state: "faulty" }>): string {
  if (held === null) return "the operator's settings hold";
  // The operator's configuration has changed since: a file that was valid no longer is.
  if (held === blob)
    return "it was without a fault before the configuration changed, and applies within the present limits";
  return `its last version without a fault still applies, blob ${short(held)}`;
}

/** Returns a blob in the length that git shows. */
function short(blob: string): string {
  return blob.slice(0, 7);
}
