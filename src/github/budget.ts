import { GitHubError } from "../core/errors.ts";
import type { Clock } from "../core/ports/clock.ts";
import { type Buckets, type Cost, fullBuckets, pause, take } from "./buckets.ts";

/** The buckets of all installations (and of the App itself), kept in memory. */
export interface Budget {
  /** Takes the cost, or throws `GitHubError` `rate_limited` (park) without any request having been made. */
  take(account: string, cost: Cost): void;
  /** GitHub said to keep still until then (milliseconds since the epoch). */
  pause(account: string, until: number): void;
}

export function createBudget(clock: Clock): Budget {
  const accounts = new Map<string, Buckets>();
  const of = (account: string): Buckets => accounts.get(account) ?? fullBuckets();
  return {
    take(account, cost) {
      const { buckets, retryAt } = take(of(account), cost, clock.now());
      accounts.set(account, buckets);
      if (retryAt === undefined) return;
      const minutes = Math.max(1, Math.ceil((retryAt - clock.now()) / 60_000));
      const text = `GitHub's limits leave no such request to ${account} now; it goes on in about ${minutes} min`;
      throw new GitHubError("rate_limited", text, 0, {
        consequence: "park",
        retryAt,
        advice: "Nothing to do: it goes on by itself when the limit allows.",
      });
    },
    pause(account, until) {
      accounts.set(account, pause(of(account), until));
    },
  };
}
