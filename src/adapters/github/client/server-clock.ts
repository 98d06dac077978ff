import type { Clock } from "../../../domain/ports/clock.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";

/**
 * By how many milliseconds the server's clock is ahead of ours (negative: behind), to about a second, by the `Date` header
 * of any answer. Null when nobody answers. Asks without credentials for what counts against no limit.
 */
export async function serverClockAhead(options: { baseUrl: string; clock: Clock }): Promise<number | null> {
  const { baseUrl, clock } = options;
  const before = clock.now();
  try {
    const { headers } = await createGuardedFetch(options)(
      `${baseUrl}/rate_limit`,
      {
        headers: { accept: "application/vnd.github+json", "user-agent": "flotilla" },
      },
      () => () => {},
    );
    const told = Date.parse(headers.get("date") ?? "");
    // The header has whole seconds, rounded down.
    return Number.isNaN(told) ? null : told + 500 - (before + clock.now()) / 2;
  } catch {
    // Whether the server can be reached is another question, with an answer of its own.
    return null;
  }
}
