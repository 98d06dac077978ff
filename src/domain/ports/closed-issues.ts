import type { RepositoryRef } from "../kernel/repository.ts";

/** A text of GitHub with its history. All times in milliseconds since the epoch. */
export interface EditedText {
  readonly text: string;
  readonly createdAt: number;
  /** Null for a text that was never edited. */
  readonly lastEditedAt: number | null;
  /** Versions that GitHub keeps, in any order; `text` is null for one that somebody deleted. */
  readonly versions: readonly { readonly at: number; readonly text: string | null }[];
}

/** A merged pull request that closed an issue. */
export interface ClosingPull {
  readonly number: number;
  readonly createdAt: number;
  readonly head: string;
  readonly branch: string;
  /** What the base branch got; null where GitHub does not say. */
  readonly merge: string | null;
  /** Number of issues that it closes. */
  readonly closes: number;
}

/** A closed issue with what is needed to know how it read before it was worked on. */
export interface ClosedIssue {
  readonly number: number;
  readonly title: string;
  /** Each is the title from before that time. */
  readonly titles: readonly { readonly until: number; readonly title: string }[];
  /** Login; empty where the account is gone. */
  readonly author: string;
  readonly body: EditedText;
  /** The oldest, at most a hundred. */
  readonly comments: readonly { readonly author: string; readonly body: EditedText }[];
  /** The one that closed it last; null where none did. */
  readonly pull: ClosingPull | null;
}

export interface ClosedIssues {
  /** Yields the closed issues of a repository, the newest first; reads on only as far as they are used. Throws `GitHubError`. */
  closedIssues(repository: RepositoryRef): AsyncIterable<ClosedIssue>;
}
