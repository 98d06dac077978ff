import { OutsideError } from "../../domain/kernel/errors.ts";
import type { Clock } from "../../domain/ports/clock.ts";

/** `work`, or after `ms` an error to retry: whether the work was done is then unknown. */
export async function withTimeout<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T> {
  let cancel: () => void = noop;
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(ms, () => {
      reject(
        new OutsideError("time_limit", `it took longer than ${ms} ms`, {
          consequence: "retry",
          uncertain: true,
        }),
      );
    });
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    cancel();
  }
}

function noop(): void {}
