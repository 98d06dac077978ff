/** One attempt of GitHub to hand a webhook of the App to us. */
export interface HookAttempt {
  /** A bigint where it is beyond what a number holds exactly. */
  readonly id: number | bigint;
  /** The same for every attempt of one delivery: our inbox knows it by this. */
  readonly guid: string;
  readonly event: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What GitHub remembers of the webhooks that it sent to the App. Both throw `GitHubError`. */
export interface HookDeliveries {
  /** Attempts since then, whether they reached us or not, newest first. */
  hookAttempts(since: number): Promise<readonly HookAttempt[]>;
  /** Asks for one more attempt; it arrives as a webhook like any other, under the same guid. */
  redeliver(attemptId: number | bigint): Promise<void>;
}
