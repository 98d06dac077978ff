/** Watches a JSON text that arrives in pieces, of which each is looked at once. */
export class JsonText {
  readonly #pieces: string[] = [];
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isWhole = false;

  /** Whether an object or list that began has ended; what it holds may be wrong all the same. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  add(piece: string): void {
    if (piece === "") return;
    this.#pieces.push(piece);
    for (const character of piece) this.#see(character);
  }

  toString(): string {
    return this.#pieces.join("");
  }

  #see(character: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#isInString && character === "\\") this.#isEscaped = true;
    else if (character === '"') this.#isInString = !this.#isInString;
    else if (this.#isInString) return;
    else if (character === "{" || character === "[") this.#depth += 1;
    else if (character === "}" || character === "]") {
      this.#depth -= 1;
      this.#isWhole = this.#depth <= 0;
    }
  }
}
