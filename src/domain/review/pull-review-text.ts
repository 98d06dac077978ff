import { commitLink, shortCommit } from "../messages/commit-link.ts";
import { inlineCode } from "../messages/inline-code.ts";
import { NO_APPROVAL } from "../messages/no-approval.ts";
import { safeMarkdown } from "../safe-text/safe-markdown.ts";
import type { GivenVerdict } from "./verdict.ts";
import { LONGEST_CODE, pointsBelow } from "./verdict-text.ts";

/** Returns the verdict on a person's pull request as the reviewer's status: `found nothing that must change in abc1234`. */
export function pullVerdict({ verdict, commit }: Pick<GivenVerdict, "verdict" | "commit">): string {
  return `${FOUND[verdict]} in ${shortCommit(commit)}`;
}

const FOUND = { approve: "found nothing that must change", reject: "asks for changes" } as const;

/**
 * Returns the text of the review of a person's pull request. `all` = GitHub accepts no comment at its line, so the text
 * contains all of them. `head` = the pull request's head now. `repository` is a full name.
 */
export function pullReviewText(
  { role, given }: { readonly role: string; readonly given: GivenVerdict },
  where: {
    readonly all: boolean;
    readonly site: string;
    readonly repository: string;
    readonly head: string;
  },
): string {
  const { verdict, commit, body, comments, evidence } = given;
  const { all, site, repository, head } = where;
  const told = comments.filter(({ inline }) => all || !inline);
  return [
    `**${role} ${FOUND[verdict]}** in ${commitLink(repository, commit)}. ${NO_APPROVAL}`,
    ...(head === commit
      ? []
      : ["", `${commitLink(repository, head)} was pushed since, which this review does not cover.`]),
    "",
    // The text may have been cut: nothing in it may stay open.
    safeMarkdown(body, { site, closes: null }),
    ...pointsBelow(told),
    "",
    `Commands it ran: ${evidence.map((command) => inlineCode(command, LONGEST_CODE)).join(", ")}`,
  ].join("\n");
}
