/** Keeps the end of what a command prints, in bounded memory. */
export class OutputTail {
  readonly #limit: number;
  #kept: Buffer[] = [];
  #size = 0;
  #seen = 0;

  /** `limit` in bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  add(chunk: Buffer): void {
    this.#seen += chunk.length;
    this.#kept.push(chunk);
    this.#size += chunk.length;
    // Joined only when twice the limit is held, so that many small chunks cost no more than a few large ones.
    if (this.#size > 2 * this.#limit) this.#shorten();
  }

  /** The end; begins with how many bytes came before it. */
  text(): string {
    this.#shorten();
    const text = Buffer.concat(this.#kept).toString("utf8");
    const dropped = this.#seen - this.#size;
    return dropped === 0 ? text : `[${dropped} bytes left out]\n${text}`;
  }

  #shorten(): void {
    const end = Buffer.concat(this.#kept).subarray(-this.#limit);
    this.#kept = [end];
    this.#size = end.length;
  }
}
