import { AnswerValues } from "./answer-values.ts";
import { more, SAID_NOTHING, type Said, saidIn } from "./provider-usage.ts";
import { tokensOf } from "./token-estimate.ts";

/** The result of a call. */
export interface CallUse {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  /** True if everything was reported by the provider and nothing was estimated. */
  readonly said: boolean;
}

/** Reads a passing answer to learn the usage of its call. */
export class AnswerReader {
  #said: Said = SAID_NOTHING;
  /** Bytes of everything received, and of the text in the values that were read. */
  #bytes = 0;
  #textBytes = 0;
  #wasRead = false;
  readonly #values = new AnswerValues();

  add(chunk: Uint8Array): void {
    this.#bytes += chunk.byteLength;
    this.#read(this.#values.add(chunk));
  }

  /** Called once, at the end; `whole` = the answer was not cut off. */
  use(promptTokens: number, whole: boolean): CallUse {
    this.#read(this.#values.end());
    const { input, output, cached } = this.#said;
    const estimate = tokensOf(this.#wasRead && !this.#values.gaveUp ? this.#textBytes : this.#bytes);
    // Some providers fill in zeros for what they do not count; nothing that was written costs none.
    const isCounted = output !== undefined && (output > 0 || estimate === 0);
    const said = whole && input !== undefined && input > 0 && isCounted;
    const least = whole ? 0 : estimate;
    return {
      inputTokens: input === undefined || input === 0 ? promptTokens : input,
      outputTokens: isCounted ? Math.max(output, least) : estimate,
      cachedTokens: cached,
      said,
    };
  }

  #read(values: readonly object[]): void {
    for (const value of values) {
      this.#wasRead = true;
      this.#said = more(this.#said, saidIn(value));
      this.#textBytes += bytesOfText(written(value));
    }
  }
}

/** Returns the texts that the model has written: pieces of a stream, or all of it. */
function written(value: object): unknown {
  const { delta, choices, content, output, candidates } = Object.assign(
    { delta: null, choices: null, content: null, output: null, candidates: null },
    value,
  );
  return [delta, choices, content, output, candidates];
}

function bytesOfText(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + bytesOfText(each), 0);
}
