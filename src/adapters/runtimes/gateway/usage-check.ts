type Tokens = { readonly inputTokens: number; readonly outputTokens: number };

/**
 * Compares the provider's usage of a session's calls with the runtime's report. The report is never counted:
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

  /** Returns null where both agree. */
  difference(): { readonly counted: number; readonly reported: number } | null {
    return this.#counted === this.#reported ? null : { counted: this.#counted, reported: this.#reported };
  }
}
