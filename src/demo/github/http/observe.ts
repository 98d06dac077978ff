/** One API request as it came in. `path` has neither `/api/v3` nor the query. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Parsed JSON; undefined when there was none. */
  readonly body: unknown;
  /** Value of the header, by which the App's requests are told from those of people. */
  readonly authorization?: string | undefined;
}

/** The true answer to it; played faults are not observed. */
export interface SeenResponse {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: unknown;
}

interface SeenWebhook {
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Called with everything that goes in and out, so that journeys can check it against GitHub's descriptions. */
export interface Observe {
  readonly request?: (seen: SeenRequest) => void;
  readonly response?: (seen: SeenResponse) => void;
  readonly webhook?: (seen: SeenWebhook) => void;
}
