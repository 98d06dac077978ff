import { Cron } from "croner";
import type { QuietHours } from "../settings/notices-section.ts";

/** Returns when the quiet hours end in which `at` lies; null outside of them. Milliseconds since the epoch. */
export function quietUntil(quiet: QuietHours | undefined, at: number): number | null {
  if (quiet === undefined) return null;
  const [begins, ends] = [next(quiet.from, quiet, at), next(quiet.to, quiet, at)];
  return ends < begins ? ends : null;
}

/** Returns the next time at which a clock there shows `time`; a time that a change of clocks leaves out moves. */
function next(time: string, { timeZone }: QuietHours, at: number): number {
  const [hour, minute] = time.split(":").map(Number);
  const found = new Cron(`${minute} ${hour} * * *`, { timezone: timeZone }).nextRun(new Date(at));
  if (found === null) throw new RangeError(`no day has the time ${time} in ${timeZone}`);
  return found.getTime();
}
