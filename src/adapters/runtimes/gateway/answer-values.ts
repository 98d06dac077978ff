/** Characters kept of an answer's unread end; a longer one is not read. */
const MOST_KEPT = 16 * 1024 * 1024;

/** Splits a passing answer, which is one JSON text or server-sent events, into its JSON values. */
export class AnswerValues {
  #rest = "";
  #data: string[] = [];
  #dataLength = 0;
  #events = 0;
  #tooLong = false;
  readonly #decoder = new TextDecoder();

  /** Whether a part was too long to read, and nothing after it was. */
  get gaveUp(): boolean {
    return this.#tooLong;
  }

  /** Returns the objects that are whole with this chunk. */
  add(chunk: Uint8Array): readonly object[] {
    if (this.#tooLong) return [];
    const text = this.#decoder.decode(chunk, { stream: true });
    // Where no line ends, the long text before is not looked at again.
    const isLine = this.#rest.endsWith("\r") || /[\r\n]/.test(text);
    this.#rest += text;
    const values = isLine && !this.#isJson() ? this.#readLines() : [];
    this.#tooLong = this.#rest.length + this.#dataLength > MOST_KEPT;
    return values;
  }

  /** Returns what the end makes whole. */
  end(): readonly object[] {
    if (this.#tooLong) return [];
    return this.#isJson() ? parsed(this.#rest) : [...this.#readLines(), ...this.#endEvent()];
  }

  #isJson(): boolean {
    return this.#events === 0 && this.#data.length === 0 && this.#rest.trimStart().startsWith("{");
  }

  #readLines(): readonly object[] {
    const lines = this.#rest.split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    const values: object[] = [];
    for (const line of lines)
      if (line === "") values.push(...this.#endEvent());
      else if (line.startsWith("data:")) this.#keep(line.slice("data:".length));
    return values;
  }

  #keep(line: string): void {
    this.#data.push(line);
    this.#dataLength += line.length;
  }

  #endEvent(): readonly object[] {
    if (this.#data.length === 0) return [];
    const values = parsed(this.#data.join("\n"));
    this.#events += values.length;
    this.#data = [];
    this.#dataLength = 0;
    return values;
  }
}

/** Returns the value where the text is JSON and the value is an object. */
function parsed(text: string): readonly object[] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? [value] : [];
  } catch {
    return [];
  }
}
