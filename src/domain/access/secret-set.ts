import { foldText } from "../conversation/fold.ts";
import { formsOf, isRandom, valuesOf, WORD } from "./secret-forms.ts";
import { type Range, WindowSet } from "./secret-windows.ts";

/** The replacement for a secret in a text. */
export const REDACTED = "[redacted]";

/** What is searched for, for one secret. */
interface Parts {
  readonly windows: string;
  readonly folded: string;
  readonly literals: readonly string[];
}

/**
 * Secrets that are added and removed. Each change costs the time of that secret alone, however many there are; the
 * result equals a new set of the remaining secrets.
 */
export class SecretSet {
  readonly #secrets = new Map<string, Parts>();
  readonly #windows = new WindowSet();
  /** The same windows after removing what can separate characters: spaces, dashes, invisible characters and escapes. */
  readonly #folded = new WindowSet();
  #literals: readonly string[] = [];

  /** Does nothing where the secret is in the set. */
  add(secret: string): void {
    if (this.#secrets.has(secret)) return;
    const values = valuesOf(secret).filter((value) => !REDACTED.includes(value));
    const forms = new Set(values.filter(isRandom).flatMap(formsOf));
    const parts = {
      windows: this.#windows.add(forms),
      folded: this.#folded.add(new Set([...forms].flatMap((form) => foldText(form).text.split(WORD)))),
      literals: values.filter((value) => !isRandom(value)).flatMap(formsOf),
    };
    this.#secrets.set(secret, parts);
    if (parts.literals.length > 0) this.#orderLiterals();
  }

  /** Does nothing where the secret is not in the set. */
  remove(secret: string): void {
    const parts = this.#secrets.get(secret);
    if (parts === undefined) return;
    this.#secrets.delete(secret);
    this.#windows.remove(parts.windows);
    this.#folded.remove(parts.folded);
    if (parts.literals.length > 0) this.#orderLiterals();
  }

  /** Returns the text with `REDACTED` for each secret. */
  takeOut(text: string): string {
    const whole = this.#literals.reduce((left, literal) => left.replaceAll(literal, REDACTED), text);
    const parted = without(whole, this.#windows.find(whole));
    return without(parted, this.#hidden(parted));
  }

  #hidden(text: string): readonly Range[] {
    if (this.#folded.isEmpty) return [];
    const folded = foldText(text);
    return this.#folded.find(folded.text).map(([from, to]) => folded.unfold(from, to));
  }

  /** Sorts the longest first: a secret may be the beginning of another. */
  #orderLiterals(): void {
    const all = new Set([...this.#secrets.values()].flatMap(({ literals }) => literals));
    this.#literals = [...all].toSorted((one, other) => other.length - one.length);
  }
}

function without(text: string, ranges: readonly Range[]): string {
  const starts = [0, ...ranges.map(([, to]) => to)];
  return starts.map((start, at) => text.slice(start, ranges[at]?.[0])).join(REDACTED);
}
