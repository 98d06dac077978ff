/** Characters kept of an answer's unread end; a longer one is not read. */
const MOST_KEPT = 16 * 1024 * 1024;

const DATA = "data:";
const BEGINS_EVENT = /[\r\n]data:/;

/** Splits a passing answer, which is one JSON text or server-sent events, into its JSON values. */
export class AnswerValues {
  /** What no line has ended yet, as it came: it is joined once, since a line may have any number of pieces. */
  #rest: string[] = [];
  #restLength = 0;
  /** The last characters of what came. */
  #last = "";
  #isJson: boolean | null = null;
  #data: string[] = [];
  #dataLength = 0;
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
    const before = this.#last;
    this.#last = `${before}${text.slice(-DATA.length)}`.slice(-DATA.length);
    this.#rest.push(text);
    this.#restLength += text.length;
    if (text.trim() !== "") this.#isJson ??= text.trimStart().startsWith("{");
    // No JSON has such a line: readers of events skip what stands before it, and read on from here.
    if (this.#isJson === true && BEGINS_EVENT.test(before + text)) this.#isJson = false;
    const isLine = before.endsWith("\r") || /[\r\n]/.test(text);
    const values = isLine && this.#isJson !== true ? this.#readLines() : [];
    this.#tooLong = this.#restLength + this.#dataLength > MOST_KEPT;
    return values;
  }

  /** Returns what the end makes whole. */
  end(): readonly object[] {
    if (this.#tooLong) return [];
    return this.#isJson === true ? parsed(this.#rest.join("")) : [...this.#readLines(), ...this.#endEvent()];
  }

  #readLines(): readonly object[] {
    const lines = this.#rest.join("").split(/\r\n|\n|\r(?!$)/);
    const rest = lines.pop() ?? "";
    this.#rest = [rest];
    this.#restLength = rest.length;
    const values: object[] = [];
    for (const line of lines)
      if (line === "") values.push(...this.#endEvent());
      else if (line.startsWith(DATA)) this.#keep(line.slice(DATA.length));
    return values;
  }

  #keep(line: string): void {
    this.#data.push(line);
    this.#dataLength += line.length;
  }

  #endEvent(): readonly object[] {
    if (this.#data.length === 0) return [];
    const values = parsed(this.#data.join("\n"));
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
