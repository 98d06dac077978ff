import type { CheckAnswer } from "./tool-check.ts";

/**
 * Ends an exchange at a refused call without cutting off a call of the same turn that a person allowed: its approval is
 * spent once it is let go. All calls of a turn are checked concurrently.
 */
export class ExchangeStop {
  /** The exchange ends at once, or before the next model call: no approval is spent in it any more. */
  isDue = false;
  /** Calls on whose approval is decided, and those that have spent one. */
  readonly #judged = new Set<symbol>();

  /** Called before each exchange. */
  begin(): void {
    this.isDue = false;
    this.#judged.clear();
  }

  /**
   * Counts a call while it is judged, and until the exchange ends where that has spent an approval. So a person is asked
   * at once about all calls of a message that wait for one.
   */
  async judges(judge: () => Promise<CheckAnswer>): Promise<CheckAnswer> {
    const call = Symbol();
    this.#judged.add(call);
    let isSpent = false;
    try {
      const answer = await judge();
      isSpent = answer.allow;
      return answer;
    } finally {
      if (!isSpent) this.#judged.delete(call);
    }
  }

  /**
   * Returns the answer for the runtime: while another call is judged or has spent an approval, the exchange ends before
   * the next model call.
   */
  refused<Answer extends Extract<CheckAnswer, { readonly allow: false }>>(answer: Answer): Answer {
    if (answer.endExchange) this.isDue = true;
    return this.#judged.size > 0 ? { ...answer, endExchange: false } : answer;
  }
}
