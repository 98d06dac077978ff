/** Something that is written on GitHub at most once. */
export interface Lagging {
  /**
   * Where an earlier try may have written it and its answer is lost. Until then, in milliseconds since the epoch, lists
   * may not show it: what is not found before is not written, and `GitHubError` `unseen` says when to look again.
   */
  readonly lagsUntil?: number;
}
