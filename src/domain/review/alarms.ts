import type { VerdictComment, VerdictRow } from "./verdict.ts";

/** The number of a role's last verdicts that are examined; fewer than `MIN_VERDICTS` raise no alarm. */
export const EXAMINED_VERDICTS = 20;
const MIN_VERDICTS = 5;
const APPROVAL_LIMIT = 0.95;
/** Nobody can act on more comments in one verdict. */
const COMMENT_LIMIT = 20;
/** Number of nit-only rejections of one task in a row that raise the alarm. */
const NIT_ROUNDS = 3;

type Judged = Pick<VerdictRow, "approves" | "comments">;

const approvesNearlyAll = (verdicts: readonly Judged[]): boolean =>
  verdicts.length >= MIN_VERDICTS &&
  verdicts.filter(({ approves }) => approves).length / verdicts.length > APPROVAL_LIMIT;

/**
 * Returns a warning if a reviewer role approves nearly every review, so perhaps without reading; null otherwise, or if
 * the verdict before raised it already. `latest`: its last `EXAMINED_VERDICTS` + 1 verdicts, newest first.
 */
export function rubberStamp(role: string, latest: readonly Judged[]): string | null {
  const now = latest.slice(0, EXAMINED_VERDICTS);
  if (!approvesNearlyAll(now) || approvesNearlyAll(latest.slice(1))) return null;
  return `${role} approved nearly all of its last ${now.length} reviews`;
}

const isNit = ({ body }: Pick<VerdictComment, "body">): boolean => /^\W*nit\b/i.test(body);

const forNits = ({ approves, comments }: Judged): boolean =>
  !approves && comments.length > 0 && comments.every(isNit);

/**
 * Returns a warning if a reviewer role seems to reject for nits; null otherwise. `ofTask`: its verdicts on one task,
 * oldest first.
 */
export function nitStorm(role: string, ofTask: readonly Judged[]): string | null {
  const last = ofTask.at(-1);
  if (last !== undefined && last.comments.length > COMMENT_LIMIT)
    return `${role} made ${last.comments.length} comments in one verdict`;
  const rounds = ofTask.slice(-NIT_ROUNDS);
  return rounds.length === NIT_ROUNDS && rounds.every(forNits)
    ? `${role} rejected this work ${NIT_ROUNDS} times in a row for nothing but nits`
    : null;
}
