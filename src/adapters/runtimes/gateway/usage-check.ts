type Tokens = { readonly inputTokens: number; readonly outputTokens: number };

/**
 * Compares what the provider said of a session's calls with what the runtime reports of them. The report is booked nowhere:
 * any process that writes into the runtime's pipe could forge it.
 */
export class UsageCheck {
  #counted = 0;
  #reported = 0;

  counted(tokens: Tokens): void {
    this.#counted += tokens.inputTokens + tokens.outputTokens;
  }

  reported(tokens: Tokens): void {
    this.#reported += tokens.inputTokens + tokens.outputTokens;
  }

  /** Null where both say the same. */
  difference(): { readonly counted: number; readonly reported: number } | null {
    return this.#counted === this.#reported ? null : { counted: this.#counted, reported: this.#reported };
  }
}
