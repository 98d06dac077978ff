/** A milestone of a repository, as far as it matters: the tasks of its issues are one sprint. */
export interface Milestone {
  readonly number: number;
  readonly title: string;
  /** GitHub's word for its due date, in ISO 8601; null without one. */
  readonly dueOn: string | null;
}

const DAY_MS = 86_400_000;

/** After the day's beginning in UTC it is over in the last of all time zones. */
const OVER_EVERYWHERE_MS = 36 * 3_600_000;

/**
 * The moment at which the due date has passed, in milliseconds since the epoch; null without one. GitHub keeps a date
 * as a moment of that day, and the whole day belongs to the work, wherever on Earth it is done.
 */
export function dueAtOf({ dueOn }: Pick<Milestone, "dueOn">): number | null {
  const at = dueOn === null ? Number.NaN : Date.parse(dueOn);
  return Number.isNaN(at) ? null : Math.floor(at / DAY_MS) * DAY_MS + OVER_EVERYWHERE_MS;
}

/** As webhooks show it, as far as they are read. */
export function rawMilestone(milestone: Milestone | null): Readonly<Record<string, unknown>> | null {
  return milestone === null
    ? null
    : { number: milestone.number, title: milestone.title, due_on: milestone.dueOn };
}
