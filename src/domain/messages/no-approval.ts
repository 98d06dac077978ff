/** Stands beside every verdict on a person's pull request, whatever it is. */
export const NO_APPROVAL = "This does not count as an approval: people approve and merge.";
