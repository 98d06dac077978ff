import { more, SAID_NOTHING, type Said, saidIn } from "./provider-usage.ts";
import { tokensOf } from "./token-estimate.ts";

/** Characters kept of an answer's unread end; a longer one is counted by its bytes. */
const MOST_KEPT = 16 * 1024 * 1024;

/** The result of a call. */
export interface CallUse {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  /** True if everything was reported by the provider and nothing was estimated. */
  readonly said: boolean;
}

/** Reads a passing answer, as one JSON text or as server-sent events, to learn the usage of its call. */
export class AnswerReader {
  #said: Said = SAID_NOTHING;
  /** Bytes of everything received, and of the text in the events that were read. */
  #bytes = 0;
  #textBytes = 0;
  #events = 0;
  #rest = "";
  #data: string[] = [];
  #tooLong = false;
  readonly #decoder = new TextDecoder();

  add(chunk: Uint8Array): void {
    this.#bytes += chunk.byteLength;
    if (this.#tooLong) return;
    this.#rest += this.#decoder.decode(chunk, { stream: true });
    if (!this.#isJson()) this.#readLines();
    this.#tooLong = this.#rest.length > MOST_KEPT;
  }

  /** Called once, at the end; `whole` = the answer was not cut off. */
  use(promptTokens: number, whole: boolean): CallUse {
    if (this.#isJson()) this.#read(this.#rest);
    else {
      this.#readLines();
      this.#endEvent();
    }
    const { input, output, cached } = this.#said;
    const estimate = tokensOf(this.#events === 0 ? this.#bytes : this.#textBytes);
    const said = whole && input !== undefined && input > 0 && output !== undefined;
    const least = whole ? 0 : estimate;
    return {
      inputTokens: input === undefined || input === 0 ? promptTokens : input,
      outputTokens: output === undefined ? estimate : Math.max(output, least),
      cachedTokens: cached,
      said,
    };
  }

  #isJson(): boolean {
    return this.#events === 0 && this.#data.length === 0 && this.#rest.trimStart().startsWith("{");
  }

  #readLines(): void {
    const lines = this.#rest.split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    for (const line of lines)
      if (line === "") this.#endEvent();
      else if (line.startsWith("data:")) this.#data.push(line.slice(5));
  }

  #endEvent(): void {
    if (this.#data.length > 0) this.#read(this.#data.join("\n"));
    this.#data = [];
  }

  #read(text: string): void {
    const value = parsed(text);
    if (typeof value !== "object" || value === null) return;
    this.#events += 1;
    this.#said = more(this.#said, saidIn(value));
    this.#textBytes += bytesOfText(written(value));
  }
}

/** Returns the texts that the model has written: pieces of a stream, or all of it. */
function written(value: object): unknown {
  const { delta, choices, content, output } = Object.assign(
    { delta: null, choices: null, content: null, output: null },
    value,
  );
  return [delta, choices, content, output];
}

function bytesOfText(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + bytesOfText(each), 0);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
