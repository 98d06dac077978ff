import type { Fault } from "./dialects/dialect.ts";
import { CONSEQUENCES, type ModelFailure, reasonOfStatus } from "./model-failure.ts";
import { retryAfterMs, retryAfterOf } from "./retry-after.ts";

/** Failures in a row that an agent may answer with a try of its own. */
const TRIES = 3;
/** A pause that an agent may sit out. */
const SHORT_MS = 10_000;

/** A refusal as the agent gets it, each time that it asks. */
export interface RefusedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Why the main line of an exchange got no answer. */
export class ExchangeRefusal {
  /** The newest failure that no answer has followed. */
  failure: ModelFailure | null = null;
  /** The refusal that the agent's own tries would only repeat. */
  last: RefusedAnswer | null = null;
  readonly #onLast: () => void;
  #failures = 0;

  constructor(onLast: () => void) {
    this.#onLast = onLast;
  }

  begin(): void {
    this.answered();
    this.last = null;
  }

  answered(): void {
    this.failure = null;
    this.#failures = 0;
  }

  /** The provider refused; `now` in milliseconds since the epoch. */
  refused(answer: RefusedAnswer, now: number): void {
    const words = wordsOf(answer.body);
    this.#fails(
      {
        reason: reasonOfStatus(answer.status, words) ?? "unavailable",
        status: answer.status,
        retryAfterMs: retryAfterMs(words) ?? retryAfterOf(answer.headers, now),
        detail: words === "" ? `the provider answered ${answer.status}` : words,
      },
      answer,
    );
  }

  /** The provider could not be reached, or did not answer; the agent gets `answer`. */
  unreached(detail: string, answer: RefusedAnswer): void {
    this.#fails({ reason: "unavailable", status: undefined, retryAfterMs: undefined, detail }, answer);
  }

  /** The host does not let the call go out. */
  forbidden(detail: string, answer: RefusedAnswer): void {
    this.#fails(
      { reason: "invalid_request", status: answer.status, retryAfterMs: undefined, detail },
      answer,
    );
  }

  /** The agent itself is at fault: another process of it may do better. */
  unusable(detail: string, answer: RefusedAnswer): void {
    this.#fails({ reason: "no_answer", status: undefined, retryAfterMs: undefined, detail }, answer);
  }

  /** The answer had begun, and was broken off. The agent has it so far, and may ask again; too often it gets `answer`. */
  brokenOff(fault: Fault | null, answer: RefusedAnswer): void {
    const isLimit = /rate_?limit|exhausted/i.test(fault?.code ?? "");
    const reason = isLimit ? "rate_limit" : "unavailable";
    const detail = fault === null ? "the provider broke off its answer" : fault.message;
    this.#keep({ reason, status: undefined, retryAfterMs: retryAfterMs(detail), detail });
    if (this.#failures >= TRIES) this.#endWith(answer);
  }

  #fails(failure: Omit<ModelFailure, "kind" | "consequence">, answer: RefusedAnswer): void {
    this.#keep(failure);
    if (!mayPass(failure) || this.#failures >= TRIES) this.#endWith(answer);
  }

  #endWith(answer: RefusedAnswer): void {
    this.last = answer;
    this.#onLast();
  }

  #keep(failure: Omit<ModelFailure, "kind" | "consequence">): void {
    this.#failures += 1;
    this.failure = { kind: "model_error", consequence: CONSEQUENCES[failure.reason], ...failure };
  }
}

/** Returns whether an agent that asks again soon may well be answered. */
function mayPass({ reason, retryAfterMs: pause }: Pick<ModelFailure, "reason" | "retryAfterMs">): boolean {
  if (reason === "unavailable") return pause === undefined || pause <= SHORT_MS;
  return reason === "rate_limit" && pause !== undefined && pause <= SHORT_MS;
}

/** Returns the message in the body of an error, in the form of any of the APIs; else the body. */
function wordsOf(body: string): string {
  const found = /"message"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(body)?.[1];
  if (found === undefined) return body.trim().slice(0, 2000);
  try {
    return String(JSON.parse(`"${found}"`)).slice(0, 2000);
  } catch {
    return found.slice(0, 2000);
  }
}
