const TRANSFERRED = "the issue was transferred to ";
const DELETED = "the issue was deleted";

/**
 * Returns why the work of an issue ended that is no longer in its repository; `to` = its new address, null when it was
 * deleted.
 */
export const goneWhy = (to: string | null): string => (to === null ? DELETED : `${TRANSFERRED}${to}`);

/** Returns what a person can do then. */
export const goneNext = (to: string | null): string =>
  to === null ? "nothing: work for it needs a new issue" : `label ${to}, or say \`/flotilla start\` there`;

/** Returns what a person can do about work that ended for this reason; null for any other reason. */
export function nextWhenGone(reason: string | null | undefined): string | null {
  if (reason === DELETED) return goneNext(null);
  return reason?.startsWith(TRANSFERRED) === true ? goneNext(reason.slice(TRANSFERRED.length)) : null;
}
