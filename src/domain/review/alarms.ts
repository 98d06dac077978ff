import type { VerdictComment, VerdictRow } from "./verdict.ts";

/** Number of a role's last verdicts that are examined; with fewer than the minimum nothing is concluded. */
export const LOOKED_AT = 20;
const LEAST_VERDICTS = 5;
const MOST_APPROVED = 0.95;
/** More comments in one verdict than anybody can act on. */
const MOST_COMMENTS = 20;
/** Number of nit-only rejections of one task in a row that raise the alarm. */
const NIT_ROUNDS = 3;

type Judged = Pick<VerdictRow, "approves" | "comments">;

const approvesNearlyAll = (verdicts: readonly Judged[]): boolean =>
  verdicts.length >= LEAST_VERDICTS &&
  verdicts.filter(({ approves }) => approves).length / verdicts.length > MOST_APPROVED;

/**
 * Returns why a reviewer role that approves nearly everything may not be reading; null when it does not, or when that
 * was reported before. `latest` = its last verdicts, newest first, including this one, at most `LOOKED_AT` + 1.
 */
export function rubberStamp(role: string, latest: readonly Judged[]): string | null {
  const now = latest.slice(0, LOOKED_AT);
  if (!approvesNearlyAll(now) || approvesNearlyAll(latest.slice(1))) return null;
  return `${role} approved nearly all of its last ${now.length} reviews`;
}

const isNit = ({ body }: Pick<VerdictComment, "body">): boolean => /^\W*nit\b/i.test(body);

const forNits = ({ approves, comments }: Judged): boolean =>
  !approves && comments.length > 0 && comments.every(isNit);

/**
 * Returns why a reviewer role seems to reject for nits; null when it does not. `ofTask` = its verdicts on one task,
 * oldest first.
 */
export function nitStorm(role: string, ofTask: readonly Judged[]): string | null {
  const last = ofTask.at(-1);
  if (last !== undefined && last.comments.length > MOST_COMMENTS)
    return `${role} made ${last.comments.length} comments in one verdict`;
  const rounds = ofTask.slice(-NIT_ROUNDS);
  return rounds.length === NIT_ROUNDS && rounds.every(forNits)
    ? `${role} rejected this work ${NIT_ROUNDS} times in a row for nothing but nits`
    : null;
}
