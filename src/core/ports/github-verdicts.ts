import type { RepositoryRef } from "../repository.ts";
import type { Lagging } from "./lagging.ts";

/** A review as our App writes it. */
export interface WrittenReview {
  /** Unique: the same one is never written twice. */
  readonly key: string;
  /** The App may not approve, or request changes on, its own pull request: then it comments. */
  readonly event: "APPROVE" | "REQUEST_CHANGES" | "COMMENT";
  readonly commit: string;
  readonly body: string;
  /** At lines that the diff shows. */
  readonly comments: readonly { readonly path: string; readonly line: number; readonly body: string }[];
  /** The body where GitHub does not take the comments at their lines. */
  readonly bodyWithComments: string;
}

/** A check run of our App on a commit; null as conclusion while it is open. */
export interface WrittenCheck {
  readonly name: string;
  readonly commit: string;
  readonly conclusion: "success" | "failure" | "neutral" | null;
  readonly title: string;
  readonly summary: string;
  /** False: only one that is there already is changed. */
  readonly create: boolean;
}

/** How verdicts are shown. Every method throws `GitHubError`. */
export interface GitHubVerdicts {
  /** Writes the review, or finds ours that carries the key's marker. */
  writeReview(
    repository: RepositoryRef,
    pull: number,
    review: WrittenReview & Lagging,
  ): Promise<{ id: number; url: string }>;
  /** One check run of our App per name and commit: changes it, or makes it. Null where there is none and none is made. */
  putCheck(repository: RepositoryRef, check: WrittenCheck & Lagging): Promise<{ id: number } | null>;
}
