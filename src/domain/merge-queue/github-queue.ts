import { inlineCode } from "../messages/inline-code.ts";
import type { QueuedPull } from "../ports/github-changes.ts";

/** What GitHub's own merge queue says about work that Flotilla may add to it. */
export interface GitHubQueueFacts {
  readonly isIn: boolean;
  /** Why it is no longer in, since its commit came under review; null where it was not in, or Flotilla took it out. */
  readonly left: Pick<NonNullable<QueuedPull["left"]>, "reason" | "by"> | null;
  /** The output of the checks that failed in the queue, for the coder. */
  readonly failure: string;
}

/** Why GitHub takes a pull request out of its queue, by its word for that. The first that fits counts. */
const REASONS: readonly {
  readonly word: RegExp;
  readonly kind: "merged" | "conflict" | "checks" | "person" | "other";
}[] = [
  { word: /conflict|tree_invalid|invalid_merge/i, kind: "conflict" },
  { word: /^(?:already_)?merged?$/i, kind: "merged" },
  { word: /time_?d?_?out/i, kind: "other" },
  { word: /fail|checks/i, kind: "checks" },
  { word: /manual/i, kind: "person" },
];

/** Returns what it means that work left GitHub's queue. */
function meaningOf(reason: string): (typeof REASONS)[number]["kind"] {
  return REASONS.find(({ word }) => word.test(reason))?.kind ?? "other";
}

/**
 * Returns the last exit from the queue that still says something about the work: not one by a merge, one of an earlier
 * commit, or one by Flotilla itself. `since` = when the commit came under review, in milliseconds since the epoch.
 */
export function lastExit(
  { isIn, left }: QueuedPull,
  { since, botLogin }: { readonly since: number; readonly botLogin: string },
): QueuedPull["left"] {
  if (isIn || left === null || left.at < since || meaningOf(left.reason) === "merged") return null;
  return meaningOf(left.reason) === "person" && left.by === botLogin ? null : left;
}

/** What follows from the queue; null: the work may be added to it. */
type QueueStep =
  | { readonly kind: "in_queue" | "wait"; readonly why: string; readonly change: string }
  | {
      readonly kind: "fail";
      readonly cause: "base_moved" | "checks";
      readonly reason: string;
      readonly detail: string;
    };

export function stepInQueue(
  { isIn, left, failure }: GitHubQueueFacts,
  { pull, base }: { readonly pull: number; readonly base: string },
): QueueStep | null {
  const queue = `GitHub's merge queue of \`${base}\``;
  if (isIn)
    return {
      kind: "in_queue",
      why: `#${pull} is in ${queue}`,
      change: `nothing: GitHub merges it when the queue's checks are green`,
    };
  if (left === null) return null;
  const again = `add #${pull} to ${queue} again, or merge it by hand`;
  switch (meaningOf(left.reason)) {
    case "checks":
      return {
        kind: "fail",
        cause: "checks",
        reason: `the checks of #${pull} failed in ${queue}`,
        detail: failure,
      };
    case "conflict":
      return {
        kind: "fail",
        cause: "base_moved",
        reason: `#${pull} conflicts with \`${base}\` in ${queue}`,
        detail: "",
      };
    case "person":
      return {
        kind: "wait",
        why: `${left.by === null ? "somebody" : `@${left.by}`} took #${pull} out of ${queue}`,
        change: again,
      };
    case "merged":
    case "other":
      return {
        kind: "wait",
        why: `GitHub took #${pull} out of ${queue}${left.reason === "" ? "" : ` (${inlineCode(left.reason)})`}`,
        change: again,
      };
  }
}
