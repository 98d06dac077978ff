import type { Clock } from "../domain/ports/clock.ts";

/**
 * Settles as `work` does. When `work` takes longer than `ms`, settles with the result or the error of `late()` instead; the
 * work itself continues.
 */
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
