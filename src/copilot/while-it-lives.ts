import type { CopilotClient } from "@github/copilot-sdk";
import { messageOf } from "../core/errors.ts";
import type { Clock } from "../core/ports/clock.ts";

export interface Watch {
  readonly clock: Clock;
  readonly pingEveryMs: number;
  readonly limitMs: number;
}

/**
 * What was asked of a runtime process, or an error once the process is gone or `limitMs` are over: what is under way
 * when a process dies is never answered, while a ping after it is refused.
 */
export async function whileItLives<T>(
  client: Pick<CopilotClient, "ping">,
  { clock, pingEveryMs, limitMs }: Watch,
  work: Promise<T>,
): Promise<T> {
  const { promise: lost, reject } = Promise.withResolvers<never>();
  const cancelLimit = clock.after(limitMs, () =>
    reject(new Error(`it did not answer within ${limitMs / 1000} s`)),
  );
  let cancelBeat = clock.after(pingEveryMs, beat);
  function beat(): void {
    client.ping().catch((error: unknown) => reject(new Error(`its process is gone: ${messageOf(error)}`)));
    cancelBeat = clock.after(pingEveryMs, beat);
  }
  try {
    return await Promise.race([work, lost]);
  } finally {
    cancelBeat();
    cancelLimit();
  }
}
