import type { QuestionRow } from "./question.ts";

/** The configured times of open questions, in milliseconds. */
export interface QuestionTimes {
  /** `questions.deadline`: for questions that name none. */
  readonly deadlineMs: number;
  /** `escalation.remind_after`. */
  readonly remindAfterMs: number;
  /** `escalation.second_person_after`. */
  readonly secondPersonAfterMs: number;
}

/** What is due for an open question. */
export type QuestionDue = "reminder" | "second_person" | "deadline";

/**
 * Returns the one thing that is due now; null for nothing. The reminder comes at half of the time at the latest, the
 * second person at three quarters: a short deadline would otherwise pass before anybody was asked again.
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

/** Returns the next person to ask: the first configured one who was not asked yet. */
export function nextPerson(notify: readonly string[], askedOf: readonly string[]): string | null {
  const asked = new Set(askedOf.map((login) => login.toLowerCase()));
  return notify.find((login) => !asked.has(login.toLowerCase())) ?? null;
}
