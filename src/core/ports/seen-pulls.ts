/** What was read last of a pull request of ours that may await people. */
export interface SeenPullRow {
  readonly repositoryId: number;
  readonly pull: number;
  /** Milliseconds since the epoch. */
  readonly openedAt: number;
  /** Lines added and deleted; null where GitHub does not say. */
  readonly changedLines: number | null;
  /** Logins of those who are asked for a review, or assigned. */
  readonly asked: readonly string[];
}

export interface SeenPullTable {
  put(row: SeenPullRow): Promise<void>;
  ofRepositories(ids: readonly number[]): Promise<readonly SeenPullRow[]>;
}
