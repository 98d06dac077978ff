import type { AgentRecord } from "../agents/agent-record.ts";

/** What the configuration says of reminders; times in milliseconds. */
export interface ReminderTimes {
  readonly remindAfterMs: number;
  readonly secondPersonAfterMs: number;
}

export interface Reminder {
  /** Whom it names; null where the configuration names nobody. */
  readonly login: string | null;
  readonly second: boolean;
  /** How many reminders there have been with this one; 2 = there will be no more in this sleep. */
  readonly reminders: 1 | 2;
}

/**
 * The reminder that is due for an agent that waits for a person, null for none. A review, a hold and an escalation have
 * no deadline: people are reminded once, and once more where a second person is named.
 */
export function reminderDue(
  { sleepingSince, reminders }: Pick<AgentRecord, "sleepingSince" | "reminders">,
  { remindAfterMs, secondPersonAfterMs }: ReminderTimes,
  notify: readonly string[],
  at: number,
): Reminder | null {
  if (sleepingSince === null || reminders >= 2) return null;
  const waited = at - sleepingSince;
  const [first, other] = notify;
  if (waited >= secondPersonAfterMs && other !== undefined)
    return { login: other, second: true, reminders: 2 };
  if (reminders > 0 || waited < remindAfterMs) return null;
  return { login: first ?? null, second: false, reminders: other === undefined ? 2 : 1 };
}
