export interface LoggedRequest {
  readonly method: string;
  /** Of API requests without `/api/v3` and the query. */
  readonly path: string;
  /** 0 when the connection was reset on purpose. */
  readonly status: number;
  /** Login of who asked, or the empty text when nobody could be told. */
  readonly actor: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

const kept = 10_000;

/** The last requests, oldest first. */
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
