import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Log } from "../domain/ports/log.ts";
import { type Answer, tooManyFailures, UNAUTHORIZED } from "./answer.ts";
import { FailureLimit } from "./failure-limit.ts";

/**
 * Wrong tokens are counted together, regardless of their address: behind a tunnel all requests come from one address.
 */
const KEY = "wrong tokens";

/**
 * Checks the operator's token and answers wrong ones. The right token is always accepted: a stranger's guesses must not
 * lock out the operator, and guessing 24 characters is not feasible.
 */
export class TokenGate {
  readonly token: string;
  readonly #digest: Buffer;
  readonly #failures: FailureLimit;

  constructor(token: string, parts: { readonly now: () => number; readonly log: Log }) {
    this.token = token;
    this.#digest = digest(token);
    this.#failures = new FailureLimit(parts);
  }

  /** Compares in constant time for any length. */
  isToken(given: string): boolean {
    return timingSafeEqual(digest(given), this.#digest);
  }

  /** Returns whether the request carries the token as `Authorization: Bearer`. */
  isBearer({ headers }: IncomingMessage): boolean {
    return this.isToken(/^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1] ?? "");
  }

  /** Answers a request without valid credentials. A request without any credentials does not count as a failure. */
  refuse({ headers }: IncomingMessage): Answer {
    return headers.authorization === undefined ? UNAUTHORIZED : this.fail();
  }

  /** Answers a wrong token, and counts it. */
  fail(): Answer {
    this.#failures.count(KEY);
    const seconds = this.#failures.secondsToWait(KEY);
    return seconds === null ? UNAUTHORIZED : tooManyFailures(seconds);
  }
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
