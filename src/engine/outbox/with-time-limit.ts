import { OutsideError } from "../../domain/kernel/errors.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import { withTimeout } from "../../time/with-timeout.ts";

/**
 * Resolves like `work`, or rejects after `ms` with a retryable error; whether the work was done is then
 * unknown.
 */
export function withTimeLimit<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T> {
  return withTimeout(clock, ms, work, () => {
    throw new OutsideError("time_limit", `it took longer than ${ms} ms`, {
      consequence: "retry",
      uncertain: true,
    });
  });
}
