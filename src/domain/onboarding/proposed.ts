/** The file by which a repository configures Flotilla. */
export const PROPOSED_FILE = ".github/flotilla.yml";

const BRANCH = "flotilla/configure";
const AGAIN = "-again";

/**
 * Returns the branch of the first, second, … proposal. It contains no digit, so no pattern reads it as the branch of an
 * issue's agent.
 */
export function proposalBranch(nth: number): string {
  return BRANCH + AGAIN.repeat(nth - 1);
}

/** Returns true for the branch of any proposal. */
export function isProposalBranch(name: string): boolean {
  return new RegExp(`^${BRANCH}(?:${AGAIN})*$`).test(name);
}
