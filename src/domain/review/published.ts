import type { WrittenCheck, WrittenReview } from "../ports/github-changes.ts";
import type { VerdictRow } from "./verdict.ts";
import { checkSummary, type MoreOfCheck, VOID_CHECK } from "./verdict-text.ts";

/** The check run that shows verdicts; branch protection may require it. */
export const REVIEW_CHECK = "flotilla/review";

/** Returns the kind of review to write: an App may neither approve nor request changes on its own pull request. */
export function reviewEvent(
  { approves }: Pick<VerdictRow, "approves">,
  own: boolean,
): WrittenReview["event"] {
  if (own) return "COMMENT";
  return approves ? "APPROVE" : "REQUEST_CHANGES";
}

/**
 * Returns the check run for a commit by all verdicts of its task: a rejection fails it, enough approvals make it green.
 * Without any verdict it is void, and written only where one exists already.
 */
export function checkOf(
  { commit }: Pick<VerdictRow, "commit">,
  all: readonly VerdictRow[],
  {
    needed,
    detailsUrl,
    more,
  }: { readonly needed: number; readonly detailsUrl: string | null; readonly more: MoreOfCheck | null },
): WrittenCheck {
  const base = { name: REVIEW_CHECK, commit, detailsUrl };
  const current = all.filter((one) => one.state === "current" && one.commit === commit);
  if (current.length === 0) return { ...base, ...VOID_CHECK, conclusion: "neutral", create: false };
  const isRejected = current.some(({ approves }) => !approves);
  const conclusion = isRejected ? "failure" : current.length >= needed ? "success" : null;
  return { ...base, ...checkSummary(current, needed, more), conclusion, create: true };
}
