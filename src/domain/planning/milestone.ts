/** A repository's milestone, with the fields that Flotilla needs. The tasks of its issues form one sprint. */
export interface Milestone {
  readonly number: number;
  readonly title: string;
  /** GitHub's due date, in ISO 8601; null without one. */
  readonly dueOn: string | null;
}

const DAY_MS = 86_400_000;

/** Milliseconds from the start of a day in UTC until it is over in every time zone. */
const OVER_EVERYWHERE_MS = 36 * 3_600_000;

/**
 * Returns when the due date has passed, in milliseconds since the epoch; null without one. GitHub stores the date as a
 * moment of that day; the date has passed once the day is over in every time zone.
 */
export function dueAtOf({ dueOn }: Pick<Milestone, "dueOn">): number | null {
  const at = dueOn === null ? Number.NaN : Date.parse(dueOn);
  return Number.isNaN(at) ? null : Math.floor(at / DAY_MS) * DAY_MS + OVER_EVERYWHERE_MS;
}

/** Returns a milestone in the form of a webhook, with the fields that Flotilla reads. */
export function rawMilestone(milestone: Milestone | null): Readonly<Record<string, unknown>> | null {
  return milestone === null
    ? null
    : { number: milestone.number, title: milestone.title, due_on: milestone.dueOn };
}
