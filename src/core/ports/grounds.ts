import type { Outcome } from "../replay/outcome.ts";
import type { Answers } from "../replay/recorded-answers.ts";

/** Where a delivery belongs; both null for one that was ignored before its issue was known. */
interface GroundPlace {
  readonly guid: string;
  readonly repositoryId: number | null;
  readonly issue: number | null;
}

/** What a delivery was decided on. */
export interface GroundRow extends GroundPlace {
  /** When it was decided, in milliseconds since the epoch. */
  readonly at: number;
  readonly answers: Answers;
  /** The rows of the database as they were, packed for `openGround`; null for one that was ignored, and where they were too many. */
  readonly known: Uint8Array | null;
}

/**
 * What each delivery was decided on: GitHub's answers, and the rows of the database that its issue's decisions rest on.
 * With them and its payload the decision can be made again. Kept as long as the payload.
 */
export interface GroundTable {
  /** First in the transaction that decides, in the place of what was kept of an earlier handling of the same delivery. */
  begin(place: GroundPlace & { readonly at: number; readonly answers: Answers }): Promise<void>;
  /** Last in the same transaction: what it wrote until here is the outcome. */
  end(guid: string): Promise<void>;
  /** A delivery that was ignored, by what GitHub answered. */
  ignored(ground: { readonly guid: string; readonly at: number; readonly answers: Answers }): Promise<void>;
  get(guid: string): Promise<GroundRow | undefined>;
  /** Delivery ids of the issue, in the order in which they were decided. */
  ofIssue(repositoryId: number, issue: number): Promise<readonly string[]>;
  /** The issues that were decided about last, the latest first. */
  latestIssues(repositoryId: number, limit: number): Promise<readonly number[]>;
  /** What was written in the transaction of that delivery; undefined where it was not kept. */
  outcome(guid: string): Promise<Outcome | undefined>;
  /** Forgets what was decided before that time, at most `limit` of it. */
  drop(before: number, limit: number): Promise<void>;
}
