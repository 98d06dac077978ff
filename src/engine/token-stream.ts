import type { Clock } from "../core/ports/clock.ts";
import { type Redact, settledLength } from "../core/text/redact.ts";

/** Pieces are gathered for so long: a few rows a second at the most. */
const GATHER_MS = 500;
/** One row holds no more. */
const LONGEST_PIECE = 2000;

/**
 * Gathers what the model says, piece by piece, into a few longer pieces. What may be the beginning of a secret is held
 * back until its end has come, so that no secret is shown in two halves.
 */
export class TokenStream {
  #text = "";
  #cancel: (() => void) | null = null;
  readonly #clock: Clock;
  readonly #redact: Redact;
  readonly #emit: (text: string) => void;

  /** `emit` gets each piece, redacted. */
  constructor(parts: { clock: Clock; redact: Redact; emit: (text: string) => void }) {
    this.#clock = parts.clock;
    this.#redact = parts.redact;
    this.#emit = parts.emit;
  }

  add(text: string): void {
    this.#text += text;
    this.#cancel ??= this.#clock.after(GATHER_MS, () => {
      this.#cancel = null;
      this.#release(settledLength(this.#text));
    });
  }

  /** What was said is complete: nothing is held back any more. */
  end(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#release(this.#text.length);
  }

  #release(length: number): void {
    const ready = this.#redact(this.#text.slice(0, length));
    this.#text = this.#text.slice(length);
    for (let start = 0; start < ready.length; start += LONGEST_PIECE)
      this.#emit(ready.slice(start, start + LONGEST_PIECE));
  }
}
