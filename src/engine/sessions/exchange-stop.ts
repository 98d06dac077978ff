import type { CheckAnswer } from "./tool-check.ts";

/**
 * Ends an exchange at a refused call without cutting off a call of the same turn that a person allowed: its approval is
 * spent once it is let go. All calls of a turn are checked concurrently.
 */
export class ExchangeStop {
  /** The exchange ends at once, or before the next model call: no approval is spent in it any more. */
  isDue = false;
  /** Calls that spend an approval, or are about to. */
  #spending = 0;

  /** Called before each exchange. */
  begin(): void {
    this.isDue = false;
    this.#spending = 0;
  }

  /** Counts a call while its approval is looked for, and until the exchange ends where it has been spent. */
  async spends(use: () => Promise<boolean>): Promise<boolean> {
    this.#spending += 1;
    const isSpent = await use();
    if (!isSpent) this.#spending -= 1;
    return isSpent;
  }

  /** Returns the answer for the runtime: where an approval is spent, the exchange ends before the next model call. */
  refused<Answer extends Extract<CheckAnswer, { readonly allow: false }>>(answer: Answer): Answer {
    if (answer.endExchange) this.isDue = true;
    return this.#spending > 0 ? { ...answer, endExchange: false } : answer;
  }
}
