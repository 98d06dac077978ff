/** One API request as it arrived. `path` has neither `/api/v3` nor the query. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
  /** Value of the header; it distinguishes the App's requests from those of people. */
  readonly authorization?: string | undefined;
}

/** The real answer to a request. Simulated faults are not observed. */
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

/** Called with every request, answer and webhook, so that journeys can check them against GitHub's descriptions. */
export interface Observe {
  readonly request?: (seen: SeenRequest) => void;
  readonly response?: (seen: SeenResponse) => void;
  readonly webhook?: (seen: SeenWebhook) => void;
}
