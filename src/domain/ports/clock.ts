/** Time as a port, so that no test sleeps and a fake clock can test every limit. */
export interface Clock {
  /** Milliseconds since the epoch, UTC. */
  now(): number;
  /** Calls `fn` once after `ms` milliseconds; the returned function cancels it. */
  after(ms: number, fn: () => void): () => void;
}
