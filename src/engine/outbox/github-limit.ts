import { GitHubError } from "../../domain/kernel/errors.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/** The longest of GitHub's short windows, and some time for others that wait for it. */
const SHORT_WAIT_MS = 2 * 60_000;

/** A limit of GitHub is no fault: what it holds up continues by itself. */
const isLimit = (error: unknown): error is GitHubError =>
  error instanceof GitHubError && error.code === "rate_limited";

/** Returns whether an agent does better to wait in its slot for a limit of GitHub than to sleep and be woken. */
export function isShortWait(error: unknown, now: number): boolean {
  return isLimit(error) && (error.retryAt ?? Infinity) - now <= SHORT_WAIT_MS;
}

/** Logs that an effect waits; of those that wait for a limit of GitHub, the first in each wait. */
export function tellDeferred(
  { log, room, clock }: Pick<EngineContext, "log" | "room" | "clock">,
  error: unknown,
  fields: { readonly effect: string; readonly error: string; readonly notBefore: number },
): void {
  if (!isLimit(error)) {
    log.warn(fields, "effect deferred");
    return;
  }
  const isNews = clock.now() >= room.toldUntil;
  room.toldUntil = Math.max(room.toldUntil, fields.notBefore);
  if (isNews) log.info(fields, "writes wait for GitHub's limits");
  else log.debug(fields, "effect waits for GitHub's limits");
}
