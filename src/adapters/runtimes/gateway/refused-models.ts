import { backoff } from "../../../domain/kernel/backoff.ts";
import type { ModelAt } from "../../../domain/ports/agent-runtime.ts";
import type { Clock } from "../../../domain/ports/clock.ts";

/** Where the provider does not say how long. */
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 10 * 60_000;
/** A provider that says longer is asked again after this time. */
const LONGEST_BELIEVED_MS = 24 * 3_600_000;

interface Refused {
  /** Milliseconds since the epoch. */
  readonly until: number;
  readonly failures: number;
  readonly why: string;
}

/** The models that refused or failed a call lately. All sessions of a process share it. */
export class RefusedModels {
  readonly #clock: Clock;
  /** By address, account and model. */
  readonly #refused = new Map<string, Refused>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns when the model may be asked again; a time that is over where it may be asked now. */
  until(at: ModelAt): number {
    return this.#refused.get(keyOf(at))?.until ?? 0;
  }

  isOut(at: ModelAt): boolean {
    return this.until(at) > this.#clock.now();
  }

  /** Returns what the model did, as words that follow its name. */
  why(at: ModelAt): string {
    return this.#refused.get(keyOf(at))?.why ?? "did not answer";
  }

  /** Records a refusal; `retryAfterMs` is the provider's word. */
  refused(at: ModelAt, { why, retryAfterMs }: { why: string; retryAfterMs: number | undefined }): void {
    const now = this.#clock.now();
    const before = this.#refused.get(keyOf(at));
    // Calls that several sessions made at the same time are one failure.
    const failures = (before?.failures ?? 0) + (this.isOut(at) ? 0 : 1);
    const pause =
      retryAfterMs === undefined
        ? backoff(failures - 1, FIRST_PAUSE_MS, LONGEST_PAUSE_MS)
        : Math.min(retryAfterMs, LONGEST_BELIEVED_MS);
    this.#refused.set(keyOf(at), { until: Math.max(before?.until ?? 0, now + pause), failures, why });
  }

  answered(at: ModelAt): void {
    this.#refused.delete(keyOf(at));
  }
}

function keyOf({ provider, model }: ModelAt): string {
  return JSON.stringify([provider.baseUrl, provider.apiKey, model]);
}
