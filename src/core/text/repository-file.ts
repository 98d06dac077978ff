import { REPOSITORY_FILE } from "../repository-file.ts";
import type { RepositoryFileStanding } from "../repository-file-standing.ts";
import { cutHead } from "./cut.ts";
import { fenced } from "./fenced.ts";

/** Characters of faults that a comment shows, and a line of a terminal. */
const SHOWN = 8_000;
const SHOWN_IN_LINE = 2_000;

const CORRECT = `Correct it there; \`flotilla check --file ${REPOSITORY_FILE}\` checks it before it is pushed`;

/** Tells whoever maintains the repository that its own file is faulty. `held` = an earlier one without a fault holds. */
export function faultyFileComment(faults: readonly string[], held: boolean): string {
  const inForce = held
    ? "What it said last without a fault stays in force."
    : "Until it is corrected the settings of whoever runs Flotilla hold.";
  return [
    `**\`${REPOSITORY_FILE}\` on the default branch is faulty.** ${inForce}`,
    fenced(cutHead(faults.join("\n"), SHOWN)),
    `${CORRECT}. This is said once.`,
  ].join("\n\n");
}

/** What holds in a repository, and what to do next, as sentences without their full stops. `name` = `owner/name`. */
export function standingFileWords(
  standing: RepositoryFileStanding,
  name: string,
): { readonly what: string; readonly next: string | null } {
  switch (standing.state) {
    case "unread":
      return {
        what: `${REPOSITORY_FILE} is not read yet: that is done before the first webhook is decided`,
        next: null,
      };
    case "none":
      return {
        what: `There is no ${REPOSITORY_FILE} on the default branch: the operator's settings hold`,
        next: `\`flotilla onboard ${name}\` proposes one`,
      };
    case "in_force":
      return { what: `${REPOSITORY_FILE} is in force, blob ${short(standing.blob)}`, next: null };
    case "faulty":
      return {
        what: `${REPOSITORY_FILE} on the default branch is faulty, blob ${short(standing.blob)}: ${heldWords(standing)}`,
        next: CORRECT,
      };
  }
}

/** The faults on one line of a terminal. */
export function faultsInLine(faults: readonly string[]): string {
  return cutHead(faults.join(" "), SHOWN_IN_LINE);
}

function heldWords({ blob, held }: Extract<RepositoryFileStanding, { state: "faulty" }>): string {
  if (held === null) return "the operator's settings hold";
  // The operator's configuration has changed since: what was sound is not any more.
  if (held === blob) return "it was sound before the configuration changed, and holds within today's";
  return `what it said last without a fault stays in force, blob ${short(held)}`;
}

/** As much as git shows of it. */
function short(blob: string): string {
  return blob.slice(0, 7);
}
