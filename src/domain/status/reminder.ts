import type { AgentRecord } from "../agents/agent-record.ts";

/** The configured times of reminders, in milliseconds. */
export interface ReminderTimes {
  readonly remindAfterMs: number;
  readonly secondPersonAfterMs: number;
}

export interface Reminder {
  /** The person whom the reminder mentions; null where the configuration names nobody. */
  readonly login: string | null;
  readonly second: boolean;
  /** Number of reminders including this one; 2 = the last one in this sleep. */
  readonly reminders: 1 | 2;
}

/**
 * Returns the reminder that is due for an agent that waits for a person; null for none. A review, a hold and an
 * escalation have no deadline: people are reminded once, and once more where a second person is configured.
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
