import { Cron } from "croner";
import { hash } from "../sessions/fingerprint.ts";
import type { Schedule } from "../settings/schedules-section.ts";

/** Returns the lane of a schedule. Its name makes it wait, like an issue's lane, while the repository is archived or gone. */
export function scheduleLane(repositoryId: number, schedule: string): string {
  return `issue:${repositoryId}#schedule:${schedule}`;
}

/** Returns the first time of the schedule after `since`; null where none comes. Milliseconds since the epoch. */
export function nextDue(
  { cron, timeZone }: Pick<Schedule, "cron" | "timeZone">,
  since: number,
): number | null {
  const next = new Cron(cron, { timezone: timeZone, mode: "5-part" }).nextRun(new Date(since));
  return next?.getTime() ?? null;
}

/** Returns how much later than its times the schedule begins, in milliseconds: always the same. */
export function jitterOf(name: string, { jitter = 0 }: Pick<Schedule, "jitter">): number {
  const part = Number.parseInt(hash(name).slice(0, 8), 16) / 0x1_0000_0000;
  return Math.floor(part * jitter);
}

/** Returns the body of the issue: what the operator wrote, and where it comes from. */
export function scheduledBody(name: string, { body }: Pick<Schedule, "body">): string {
  return `${body.trimEnd()}\n\n---\nFlotilla opened this issue for the schedule \`${name}\`, and opens the next one only after this one is closed.`;
}
