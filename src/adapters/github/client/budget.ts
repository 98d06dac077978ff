import { backoff } from "../../../domain/kernel/backoff.ts";
import { GitHubError } from "../../../domain/kernel/errors.ts";
import { aboutMinutes } from "../../../domain/messages/format.ts";
import type { Clock } from "../../../domain/ports/clock.ts";
import type { GitHubLeft, GitHubWait } from "../../../domain/ports/github-app.ts";
import { answered, type Buckets, type Cost, charged, fullBuckets, left, pause, take } from "./buckets.ts";
import { TIME_LIMIT_MS } from "./guarded-fetch.ts";
import type { Spent } from "./spent.ts";

/** GitHub answers at most so many requests at once; the last are kept for what a person waits for. */
const AT_ONCE = 100;
const AT_ONCE_KEPT = 10;
/** A request takes about so long. */
const NEXT_END_MS = 1000;
/** However often GitHub refuses in a row, it is asked again after so long. */
const LONGEST_MS = 60 * 60_000;
const MINUTE = 60_000;
const EVERYBODY = "*";

/** The buckets of all installations and of the App itself, by what they spent before the start and since. */
export interface Budget {
  /**
   * Takes the cost, or throws `GitHubError` `rate_limited` (park) without any request having been made. Call what comes
   * back once, when the request has ended.
   */
  take(account: string, cost: Cost): () => void;
  /** Nothing is left of the account's own limit until then (milliseconds since the epoch). */
  pause(account: string, until: number): void;
  /** GitHub found that we ask too much: nobody asks anything until then, and longer each time it says so again. */
  refused(until: number): void;
  /** GitHub took a request. */
  answered(): void;
  /** What is held back now. */
  waits(): readonly GitHubWait[];
  /** Of each limit what the account has that has least. */
  left(): GitHubLeft;
}

export function createBudget(clock: Clock, spent: Spent): Budget {
  const accounts = new Map<string, Buckets>();
  const of = (account: string): Buckets => accounts.get(account) ?? fullBuckets();
  const stoppedUntil = (): number => of(EVERYBODY).pausedUntil;
  let under = 0;
  let refusals = 0;

  for (const entry of spent.before) {
    const before = of(entry.account);
    accounts.set(
      entry.account,
      // The file does not say when the answer came.
      "until" in entry
        ? pause(before, entry.until)
        : charged(before, entry, Math.min(entry.at + TIME_LIMIT_MS, clock.now())),
    );
  }

  function hold(account: string, until: number): void {
    if (of(account).pausedUntil >= until) return;
    accounts.set(account, pause(of(account), until));
    spent.add({ account, until });
  }

  function freeAt(account: string, cost: Cost, now: number): number | undefined {
    if (stoppedUntil() > now) return Math.max(stoppedUntil(), of(account).pausedUntil);
    return take(of(account), cost, now).retryAt;
  }

  return {
    take(account, cost) {
      const now = clock.now();
      const full = under >= AT_ONCE - (cost.forPerson === true ? 0 : AT_ONCE_KEPT);
      const retryAt = freeAt(account, cost, now) ?? (full ? now + NEXT_END_MS : undefined);
      if (retryAt !== undefined) throw noneLeft(account, retryAt, now);
      accounts.set(account, take(of(account), cost, now).buckets);
      spent.add({ account, at: now, points: cost.points, content: cost.content });
      under += 1;
      return () => {
        under -= 1;
        accounts.set(account, answered(of(account), cost, clock.now()));
      };
    },
    pause: hold,
    refused(until) {
      const now = clock.now();
      // Those that were on their way when the first was refused say nothing new.
      if (stoppedUntil() <= now) refusals += 1;
      const least = refusals > 1 ? now + backoff(refusals - 1, MINUTE, LONGEST_MS) : 0;
      hold(EVERYBODY, Math.max(until, least));
    },
    answered() {
      if (stoppedUntil() <= clock.now()) refusals = 0;
    },
    left() {
      const all = [fullBuckets(), ...accounts.values()].map((buckets) => left(buckets, clock.now()));
      const least = (what: keyof GitHubLeft): number => Math.min(...all.map((each) => each[what]));
      return {
        points: least("points"),
        contentOfMinute: least("contentOfMinute"),
        contentOfHour: least("contentOfHour"),
      };
    },
    waits() {
      const now = clock.now();
      if (stoppedUntil() > now) return [{ account: EVERYBODY, what: "everything", until: stoppedUntil() }];
      return [...accounts.keys()].flatMap((account): GitHubWait[] => {
        const reads = freeAt(account, { points: 1, content: 0 }, now);
        if (reads !== undefined) return [{ account, what: "everything", until: reads }];
        const writes = freeAt(account, { points: 5, content: 1 }, now);
        return writes === undefined ? [] : [{ account, what: "content", until: writes }];
      });
    },
  };
}

function noneLeft(account: string, retryAt: number, now: number): GitHubError {
  const text = `GitHub's limits leave no such request to ${account} now; it continues ${aboutMinutes(retryAt - now)}`;
  return new GitHubError("rate_limited", text, 0, {
    consequence: "park",
    retryAt,
    advice: "Nothing to do: it continues automatically when the limit allows.",
  });
}
