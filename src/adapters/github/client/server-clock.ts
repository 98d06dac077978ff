import type { Clock } from "../../../domain/ports/clock.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";

/**
 * Returns by how many milliseconds the server's clock is ahead of ours (negative: behind), accurate to about a second,
 * from the `Date` header of any answer. Null if there is no answer. Sends an anonymous request that counts against no
 * limit.
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
    // Whether the server can be reached is a different question, checked elsewhere.
    return null;
  }
}
