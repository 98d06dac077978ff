import type { QuestionRow } from "./question.ts";

/** What the configuration says of open questions, in milliseconds. */
export interface QuestionTimes {
  /** `questions.deadline`: for questions that name none. */
  readonly deadlineMs: number;
  /** `escalation.remind_after`. */
  readonly remindAfterMs: number;
  /** `escalation.second_person_after`. */
  readonly secondPersonAfterMs: number;
}

/** What an open question is due for. */
export type QuestionDue = "reminder" | "second_person" | "deadline";

/**
 * The one thing that is due now, null for nothing. The reminder comes at half of the time at the latest, the second
 * person at three quarters: a short deadline would pass before anybody was asked again.
 */
export function questionDue(
  question: Pick<QuestionRow, "createdAt" | "deadlineAt" | "remindedAt" | "secondAskedAt">,
  times: QuestionTimes,
  at: number,
): QuestionDue | null {
  const { createdAt, deadlineAt, remindedAt, secondAskedAt } = question;
  const span = deadlineAt - createdAt;
  if (at >= deadlineAt) return "deadline";
  if (secondAskedAt === null && at >= createdAt + Math.min(times.secondPersonAfterMs, (span * 3) / 4))
    return "second_person";
  if (remindedAt === null && at >= createdAt + Math.min(times.remindAfterMs, span / 2)) return "reminder";
  return null;
}

/** Who is asked next: the first whom the configuration names and who was not asked. */
export function nextPerson(notify: readonly string[], askedOf: readonly string[]): string | null {
  const asked = new Set(askedOf.map((login) => login.toLowerCase()));
  return notify.find((login) => !asked.has(login.toLowerCase())) ?? null;
}
