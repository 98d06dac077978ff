import { GitHubError } from "../../src/domain/kernel/errors.ts";
import type { Clock } from "../../src/domain/ports/clock.ts";
import type { Lagging } from "../../src/domain/ports/github-app.ts";
import type { GitHubPullRequest } from "../../src/domain/ports/github-changes.ts";

/** Lists that lag: they do not contain recent writes yet. */
export interface FakeLag {
  wrote(what: object): void;
  readonly shows: (what: object) => boolean;
  /** Returns what was found; throws `unseen` if nothing was found and the list may still lag. */
  seen<Found>(found: Found | undefined, asked: Lagging): Found | undefined;
}

/** Creates the lag. For `lagMs` a list does not show new items. */
export function createFakeLag({ clock, lagMs = 0 }: { clock: Clock; lagMs?: number }): FakeLag {
  const writtenAt = new WeakMap<object, number>();
  return {
    wrote: (what) => void writtenAt.set(what, clock.now()),
    shows: (what) => clock.now() - (writtenAt.get(what) ?? 0) >= lagMs,
    seen: (found, { lagsUntil = 0 }) => {
      if (found !== undefined || clock.now() >= lagsUntil) return found;
      throw new GitHubError("unseen", "not shown yet", 0, { consequence: "park", retryAt: lagsUntil });
    },
  };
}

/**
 * Throws if GitHub knows of a pull request that its lists do not show yet: it refuses a second one with the same
 * branches.
 */
export function refuseUnseen(
  pulls: readonly GitHubPullRequest[],
  wanted: { head: string; base: string },
): void {
  const unseen = pulls.find(
    ({ headRef, baseRef, state }) => state === "open" && headRef === wanted.head && baseRef === wanted.base,
  );
  if (unseen !== undefined)
    throw new GitHubError("unseen", `#${unseen.number} is not shown yet`, 422, { consequence: "retry" });
}
