import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Log } from "../domain/ports/log.ts";
import { type Answer, tooManyFailures, UNAUTHORIZED } from "./answer.ts";
import { FailureLimit } from "./failure-limit.ts";

/** Wrong tokens are counted together, wherever they come from: behind a tunnel all come from one address. */
const KEY = "wrong tokens";

/**
 * Knows the operator's token, and answers to wrong ones. The right token passes at any time: a stranger's guesses must
 * not lock the operator out, and nobody guesses 24 characters, however often they try.
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

  /** Compares in constant time, whatever the lengths. */
  isToken(given: string): boolean {
    return timingSafeEqual(digest(given), this.#digest);
  }

  /** Whether the request carries the token as `Authorization: Bearer`. */
  isBearer({ headers }: IncomingMessage): boolean {
    return this.isToken(/^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1] ?? "");
  }

  /** The answer to a request without right credentials. A request without any is not a failure. */
  refuse({ headers }: IncomingMessage): Answer {
    return headers.authorization === undefined ? UNAUTHORIZED : this.fail();
  }

  /** The answer to a wrong token, which counts. */
  fail(): Answer {
    this.#failures.count(KEY);
    const seconds = this.#failures.secondsToWait(KEY);
    return seconds === null ? UNAUTHORIZED : tooManyFailures(seconds);
  }
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
