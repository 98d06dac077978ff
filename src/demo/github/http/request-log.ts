export interface LoggedRequest {
  readonly method: string;
  /** For API requests, without `/api/v3` and the query. */
  readonly path: string;
  /** 0 if the connection was reset on purpose. */
  readonly status: number;
  /** Login of the caller; empty if the caller is unknown. */
  readonly actor: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

const kept = 10_000;

/** Creates a log of the last requests, oldest first. */
export function createRequestLog(): {
  entries: () => readonly LoggedRequest[];
  add: (entry: LoggedRequest) => void;
} {
  const entries: LoggedRequest[] = [];
  return {
    entries: () => entries,
    add: (entry) => {
      entries.push(entry);
      if (entries.length > kept) entries.splice(0, entries.length - kept);
    },
  };
}
