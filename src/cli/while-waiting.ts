import type { Clock } from "../domain/ports/clock.ts";
import type { Progress } from "./progress.ts";

const SECOND_MS = 1000;

/**
 * Prints each second how long `what` has been waited for, and the limit `withinMs`, until `asking` has ended.
 */
export async function whileWaiting<T>(
  asking: Promise<T>,
  { show }: Progress,
  { what, withinMs, clock }: { readonly what: string; readonly withinMs: number; readonly clock: Clock },
): Promise<T> {
  const begun = clock.now();
  let cancel: (() => void) | undefined;
  const tick = (): void => {
    const seconds = Math.round((clock.now() - begun) / SECOND_MS);
    show(`s: ${what}`, seconds, Math.max(seconds, Math.ceil(withinMs / SECOND_MS)));
    cancel = clock.after(SECOND_MS, tick);
  };
  tick();
  try {
    return await asking;
  } finally {
    cancel?.();
  }
}
