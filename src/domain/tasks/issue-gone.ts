const TRANSFERRED = "the issue was transferred to ";
const DELETED = "the issue was deleted";

/**
 * Returns why the work of an issue ended that is no longer in its repository; `to` = its new address, null when it was
 * deleted.
 */
export const goneIssueReason = (to: string | null): string => (to === null ? DELETED : `${TRANSFERRED}${to}`);

/** Returns what a person can do then. */
export const goneIssueAdvice = (to: string | null): string =>
  to === null ? "nothing: work for it needs a new issue" : `label ${to}, or say \`/flotilla start\` there`;

/** Returns what a person can do about work that ended for this reason; null for any other reason. */
export function adviceIfGone(reason: string | null | undefined): string | null {
  if (reason === DELETED) return goneIssueAdvice(null);
  return reason?.startsWith(TRANSFERRED) === true ? goneIssueAdvice(reason.slice(TRANSFERRED.length)) : null;
}
