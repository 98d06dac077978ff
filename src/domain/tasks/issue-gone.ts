const TRANSFERRED = "the issue was transferred to ";
const DELETED = "the issue was deleted";

/** Why the work of an issue ended that is no longer in its repository; `to` = where it was moved, null when it was deleted. */
export const goneWhy = (to: string | null): string => (to === null ? DELETED : `${TRANSFERRED}${to}`);

/** What a person can do then. */
export const goneNext = (to: string | null): string =>
  to === null ? "nothing: work for it needs a new issue" : `label ${to}, or say \`/flotilla start\` there`;

/** Returns the same for work that ended for this reason; null for work that ended for another one. */
export function nextWhenGone(reason: string | null | undefined): string | null {
  if (reason === DELETED) return goneNext(null);
  return reason?.startsWith(TRANSFERRED) === true ? goneNext(reason.slice(TRANSFERRED.length)) : null;
}
