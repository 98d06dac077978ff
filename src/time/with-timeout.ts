import type { Clock } from "../domain/ports/clock.ts";

/** Resolves as `work` does; after `ms` with what `late` returns, or rejects with what that throws. The work goes on. */
export async function withTimeout<T, Late>(
  clock: Pick<Clock, "after">,
  ms: number,
  work: Promise<T>,
  late: () => Late,
): Promise<T | Late> {
  const { promise: over, resolve, reject } = Promise.withResolvers<Late>();
  const cancel = clock.after(ms, () => {
    try {
      resolve(late());
    } catch (error) {
      reject(error);
    }
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    cancel();
  }
}
