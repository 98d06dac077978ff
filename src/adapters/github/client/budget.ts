import { backoff } from "../../../domain/kernel/backoff.ts";
import { GitHubError } from "../../../domain/kernel/errors.ts";
import { aboutMinutes } from "../../../domain/messages/format.ts";
import type { Clock } from "../../../domain/ports/clock.ts";
import type { GitHubLeft, GitHubWait, GitHubWork } from "../../../domain/ports/github-app.ts";
import { answered, type Buckets, type Cost, charged, fullBuckets, left, pause, take } from "./buckets.ts";
import { TIME_LIMIT_MS } from "./guarded-fetch.ts";
import type { Spent } from "./spent.ts";

/** Maximum number of concurrent requests that GitHub allows. The last ones are reserved for what a person waits for. */
const AT_ONCE = 100;
const AT_ONCE_KEPT = 10;
/** Typical duration of a request. */
const NEXT_END_MS = 1000;
/** Longest pause, regardless of how often GitHub refuses in a row. */
const LONGEST_MS = 60 * 60_000;
const MINUTE = 60_000;
const EVERYBODY = "*";
/** What an agent may need soon: a whole short life, or what is read when it wakes. Content waits, but a start adds to it. */
const NEEDS: Readonly<Record<GitHubWork, Cost>> = {
  start: { points: 60, content: 4 },
  wake: { points: 20, content: 0 },
};

/** The buckets of all installations and of the App itself, including what they spent before the start. */
export interface Budget {
  /**
   * Takes the cost, or throws `GitHubError` `rate_limited` (park) without sending a request. Call the returned function
   * once, when the request has ended.
   */
  take(account: string, cost: Cost): () => void;
  /** Records that the account's own limit is used up until then (milliseconds since the epoch). */
  pause(account: string, until: number): void;
  /** Records that GitHub found too many requests: all requests pause until then, and longer each time in a row. */
  refused(until: number): void;
  /** Records that GitHub accepted a request. */
  answered(): void;
  /** Returns what is held back at the moment. */
  waits(): readonly GitHubWait[];
  /** Returns until when the account, or the one with the least room, has none for an agent that would begin; null where it has. */
  noRoomUntil(account: string | null, work: GitHubWork): number | null;
  /** Returns what is left of each limit, for the account with the least. */
  left(): GitHubLeft;
}

/** `sharers` returns how many processes act for the App, so that together they stay within GitHub's limits. */
export function createBudget(clock: Clock, spent: Spent, sharers: () => number = () => 1): Budget {
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
    return take(of(account), cost, now, sharers()).retryAt;
  }

  return {
    take(account, cost) {
      const now = clock.now();
      const full = under >= AT_ONCE - (cost.forPerson === true ? 0 : AT_ONCE_KEPT);
      const retryAt = freeAt(account, cost, now) ?? (full ? now + NEXT_END_MS : undefined);
      if (retryAt !== undefined) throw noneLeft(account, retryAt, now);
      accounts.set(account, take(of(account), cost, now, sharers()).buckets);
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
      // Requests that were in progress when the first one was refused say nothing new.
      if (stoppedUntil() <= now) refusals += 1;
      const least = refusals > 1 ? now + backoff(refusals - 1, MINUTE, LONGEST_MS) : 0;
      hold(EVERYBODY, Math.max(until, least));
    },
    answered() {
      if (stoppedUntil() <= clock.now()) refusals = 0;
    },
    noRoomUntil(account, work) {
      const among = account === null ? [EVERYBODY, ...accounts.keys()] : [account];
      const until = among.map((one) => freeAt(one, NEEDS[work], clock.now()) ?? 0);
      return Math.max(...until) || null;
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
  const text = `waiting for GitHub's rate limit of ${account}; it continues ${aboutMinutes(retryAt - now)}`;
  return new GitHubError("rate_limited", text, 0, {
    consequence: "park",
    retryAt,
    advice: "Nothing to do: it continues automatically when the limit allows.",
  });
}
