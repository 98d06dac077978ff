import { REPOSITORY_FILE } from "../repository-file.ts";
import { cutHead } from "./cut.ts";
import { fenced } from "./fenced.ts";

/** Characters of faults that a comment shows. */
const SHOWN = 8_000;

/** Tells whoever maintains the repository that its own file is faulty. `held` = an earlier one without a fault holds. */
export function faultyFileComment(faults: readonly string[], held: boolean): string {
  const inForce = held
    ? "What it said last without a fault stays in force."
    : "Until it is corrected the settings of whoever runs Flotilla hold.";
  return [
    `**\`${REPOSITORY_FILE}\` on the default branch is faulty.** ${inForce}`,
    fenced(cutHead(faults.join("\n"), SHOWN)),
    `Correct it there; \`flotilla check --file ${REPOSITORY_FILE}\` checks it before it is pushed. This is said once.`,
  ].join("\n\n");
}
