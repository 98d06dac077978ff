/** An open pull request of ours that waits for people, as last read from GitHub. */
export interface AwaitingPull {
  readonly repositoryId: number;
  /** `owner/name`. */
  readonly repository: string;
  readonly pull: number;
  readonly issue: number;
  /** Milliseconds since the epoch. */
  readonly openedAt: number;
  /** Lines added and deleted; null while that was not read. */
  readonly changedLines: number | null;
  /** Logins of the requested reviewers and the assignees. */
  readonly asked: readonly string[];
}

const DAY_MS = 24 * 60 * 60_000;

/** How many pull requests are named, as a place to begin. */
const NAMED = 3;

/**
 * Returns the order in which to review: the oldest day first, and within a day the smallest, so that many are soon
 * done.
 */
export function reviewOrder(pulls: readonly AwaitingPull[]): readonly AwaitingPull[] {
  const day = ({ openedAt }: AwaitingPull) => Math.floor(openedAt / DAY_MS);
  const size = ({ changedLines }: AwaitingPull) => changedLines ?? Number.MAX_SAFE_INTEGER;
  return pulls.toSorted(
    (one, other) => day(one) - day(other) || size(one) - size(other) || one.openedAt - other.openedAt,
  );
}

/**
 * Returns why no new work begins in the repository: as many pull requests as are allowed wait for people there, or for
 * one of those people in all repositories together. Null while there is room.
 */
export function attentionLimit(
  pulls: readonly AwaitingPull[],
  { repositoryId, limit }: { readonly repositoryId: number; readonly limit: number },
): string | null {
  const here = pulls.filter((pull) => pull.repositoryId === repositoryId);
  if (here.length >= limit)
    return `${counted(here)} of ours ${here.length === 1 ? "awaits" : "await"} people, and attention.open_prs is ${limit}; ${reviewFirst(here, repositoryId)}`;
  const people = [...new Set(here.flatMap(({ asked }) => asked))].toSorted();
  for (const login of people) {
    const theirs = pulls.filter(({ asked }) => asked.includes(login));
    if (theirs.length >= limit)
      return `@${login} is asked to look at ${counted(theirs)} of ours, and attention.open_prs is ${limit}; ${reviewFirst(theirs, repositoryId)}`;
  }
  return null;
}

const counted = ({ length }: readonly AwaitingPull[]) => `${length} pull request${length === 1 ? "" : "s"}`;

/** Names days and no durations, so that the text changes only when something has happened. */
function reviewFirst(pulls: readonly AwaitingPull[], repositoryId: number): string {
  const named = reviewOrder(pulls)
    .slice(0, NAMED)
    .map((pull) => {
      const name = `${pull.repositoryId === repositoryId ? "" : pull.repository}#${pull.pull}`;
      const size = pull.changedLines === null ? "" : `, ${pull.changedLines} changed lines`;
      return `${name} (of ${new Date(pull.openedAt).toISOString().slice(0, 10)}${size})`;
    });
  return `look first at ${named.join(", ")}`;
}
