import { commitLink, shortCommit } from "../messages/commit-link.ts";
import { inlineCode } from "../messages/inline-code.ts";
import { safeMarkdown } from "../safe-text/safe-markdown.ts";
import type { VerdictComment, VerdictRow } from "./verdict.ts";

/** Characters of a path or a command. */
export const LONGEST_CODE = 1000;

/** Characters of remarks in a review's own text; GitHub accepts 65,536 in total. */
const MOST_POINTS = 30_000;

const at = ({ path, line }: VerdictComment): string =>
  inlineCode(line === null ? path : `${path}:${line}`, LONGEST_CODE);

const points = (comments: readonly VerdictComment[]): readonly string[] =>
  comments.map((comment) => `- ${at(comment)}: ${comment.body}`);

const WORDS = { approve: "approves", reject: "rejects" } as const;

/** Returns what the coder of rejected work reads: the verdict, its reasons, each comment with file and line. */
export function feedback(given: {
  readonly role: string;
  readonly pull: number | null;
  readonly verdict: "approve" | "reject";
  readonly commit: string;
  readonly body: string;
  readonly comments: readonly VerdictComment[];
}): string {
  const { role, pull, verdict, commit, body, comments } = given;
  const what = pull === null ? shortCommit(commit) : `${shortCommit(commit)} of #${pull}`;
  return [`${role} ${WORDS[verdict]} ${what}: ${body}`, ...points(comments)].join("\n");
}

type Said = Pick<VerdictRow, "reviewer" | "commit" | "approves" | "body" | "comments" | "evidence">;

/**
 * Returns the text of the pull request's review. `all` = GitHub accepts no comment at its line, so the text contains
 * all of them. `repository` is a full name. Where the App may not approve its own pull request the text states the verdict.
 */
export function reviewText(
  verdict: Said,
  { all, site, repository }: { readonly all: boolean; readonly site: string; readonly repository: string },
): string {
  const { reviewer, commit, approves, body, comments, evidence } = verdict;
  const told = comments.filter(({ inline }) => all || !inline);
  return [
    `**${reviewer} ${approves ? "approves" : "rejects"}** ${commitLink(repository, commit)}`,
    "",
    // The text may have been cut: nothing in it may stay open.
    safeMarkdown(body, { site, closes: null }),
    ...pointsBelow(told),
    "",
    `Commands it ran: ${evidence.map((command) => inlineCode(command, LONGEST_CODE)).join(", ")}`,
  ].join("\n");
}

/** Returns the remarks as lines below a text, as many as fit. */
export function pointsBelow(comments: readonly VerdictComment[]): readonly string[] {
  return comments.length === 0 ? [] : ["", ...fitting(points(comments))];
}

/** Returns the first lines, as many as fit. */
function fitting(lines: readonly string[]): readonly string[] {
  let room = MOST_POINTS;
  const shown = lines.filter((line) => {
    room -= line.length;
    return room >= 0;
  });
  const more = lines.length - shown.length;
  return more === 0 ? shown : [...shown, `- and ${more} more that do not fit here`];
}

/**
 * Returns the text of a commit's check run: each reviewer's verdict, what is still missing, and what else people should
 * know.
 */
export function checkSummary(
  verdicts: readonly Pick<VerdictRow, "reviewer" | "approves">[],
  needed: number,
  more: MoreOfCheck | null,
): MoreOfCheck {
  const approvals = verdicts.filter(({ approves }) => approves).length;
  const rejected = verdicts.find(({ approves }) => !approves);
  const title =
    rejected === undefined ? `${approvals} of ${needed} approvals` : `${rejected.reviewer} wants changes`;
  const lines = verdicts.map(
    ({ reviewer, approves }) => `- ${reviewer} ${approves ? "approves" : "rejects"}`,
  );
  const summary = lines.length === 0 ? "There is no valid verdict." : lines.join("\n");
  if (more === null) return { title, summary };
  return { title: `${title}; ${more.title}`, summary: `${summary}\n\n${more.summary}` };
}

/** The texts of a check run, or what is added to them. */
export interface MoreOfCheck {
  readonly title: string;
  readonly summary: string;
}

/** The check run of a commit that is no longer under review. */
export const VOID_CHECK = {
  title: "Void",
  summary: "A new commit was pushed, or the work was withdrawn: verdicts on this commit no longer count.",
} as const;
