import { randomOf } from "../random.ts";

/** Everything that is left to chance in one run; the seed decides all of it. */
export class Chance {
  readonly #number: () => number;

  constructor(seed: number) {
    // Seeds next to each other shall not begin alike.
    this.#number = randomOf(Math.imul(seed + 1, 0x9e3779b1) ^ (seed >>> 7));
    for (let warm = 0; warm < 4; warm += 1) this.#number();
  }

  happens(share: number): boolean {
    return this.#number() < share;
  }

  /** From 0 to below `count`. */
  below(count: number): number {
    return Math.floor(this.#number() * count);
  }

  one<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error("there is nothing to choose from");
    return item;
  }

  shuffled<T>(items: readonly T[]): readonly T[] {
    return items
      .map((item) => ({ item, place: this.#number() }))
      .toSorted((one, other) => one.place - other.place)
      .map(({ item }) => item);
  }

  /** One of them, each as often as its number says. */
  among<T>(items: readonly (readonly [times: number, item: T])[]): T {
    let left = this.#number() * items.reduce((sum, [times]) => sum + times, 0);
    for (const [times, item] of items) {
      left -= times;
      if (left < 0) return item;
    }
    return this.one(items)[1];
  }
}
