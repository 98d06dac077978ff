/** A piece of a secret of so many characters is still one: who asks for a secret asks for its halves next. */
export const WINDOW = 12;

/** Fewer different characters, such as the zeros in a key, say nothing about it and stand in ordinary texts. */
const LEAST_DIFFERENT = 5;

const FACTOR = 0x01000193;
/** FACTOR to the power of WINDOW, by which a character leaves the sum. */
const LEAVING = Array.from({ length: WINDOW }).reduce<number>((power) => Math.imul(power, FACTOR), 1);

/** From and to, the second not included. */
export type Range = readonly [number, number];

/**
 * Windows of forms, found in a text in time that grows with the length of the text alone: a sum rolls over it, and only
 * where a window has the same sum are characters compared. Adding and removing forms costs the time of these forms.
 */
export class WindowSet {
  /** The forms of one `add`, joined, by the number in `#owners`; dropped when no slot names its window by them. */
  readonly #pools = [""];
  readonly #named = [0];
  readonly #free: number[] = [];
  #used = 0;
  // One slot for each different window: open addressing, at most half full. Owner 0 is an empty slot.
  #owners = new Int32Array(64);
  #starts = new Int32Array(64);
  #sums = new Int32Array(64);
  /** How often the pools have the window. */
  #counts = new Int32Array(64);

  get isEmpty(): boolean {
    return this.#used === 0;
  }

  /** Returns what `remove` takes. */
  add(forms: Iterable<string>): string {
    const pool = [...forms].join("\0");
    const owner = this.#free.pop() ?? this.#pools.length;
    this.#pools[owner] = pool;
    this.#named[owner] = 0;
    rollWindows(pool, (start, sum) => {
      const slot = this.#slotOf(pool, start, sum);
      if (this.#owners[slot] === 0) this.#take(slot, { owner, start, sum, count: 1 });
      else this.#counts[slot] = at(this.#counts, slot) + 1;
    });
    this.#dropUnnamed(owner);
    return pool;
  }

  /** Removes what one `add` added, once. */
  remove(pool: string): void {
    rollWindows(pool, (start, sum) => {
      const slot = this.#slotOf(pool, start, sum);
      const count = at(this.#counts, slot) - 1;
      this.#counts[slot] = count;
      if (count === 0) this.#vacate(slot);
    });
  }

  /** Finds every window in a text, neighbours joined. */
  find(text: string): readonly Range[] {
    const found: [number, number][] = [];
    if (this.isEmpty) return found;
    roll(text, (start, sum) => {
      if (this.#owners[this.#slotOf(text, start, sum)] === 0) return;
      const last = found.at(-1);
      if (last !== undefined && last[1] >= start) last[1] = start + WINDOW;
      else found.push([start, start + WINDOW]);
    });
    return found;
  }

  /** The slot of this window, or the empty one where it belongs. */
  #slotOf(text: string, start: number, sum: number): number {
    const mask = this.#owners.length - 1;
    for (let slot = spread(sum) & mask; ; slot = (slot + 1) & mask) {
      const owner = at(this.#owners, slot);
      if (owner === 0 || (this.#sums[slot] === sum && this.#isAt(slot, owner, text, start))) return slot;
    }
  }

  #isAt(slot: number, owner: number, text: string, start: number): boolean {
    const pool = String(this.#pools[owner]);
    const place = at(this.#starts, slot);
    for (let index = 0; index < WINDOW; index += 1)
      if (text.charCodeAt(start + index) !== pool.charCodeAt(place + index)) return false;
    return true;
  }

  #take(slot: number, window: Window): void {
    this.#fill(slot, window);
    this.#named[window.owner] = Number(this.#named[window.owner]) + 1;
    this.#used += 1;
    if (this.#used * 2 > this.#owners.length) this.#grow();
  }

  #fill(slot: number, window: Window): void {
    this.#owners[slot] = window.owner;
    this.#starts[slot] = window.start;
    this.#sums[slot] = window.sum;
    this.#counts[slot] = window.count;
  }

  #dropUnnamed(owner: number): void {
    if (this.#named[owner] !== 0) return;
    this.#pools[owner] = "";
    this.#free.push(owner);
  }

  /** Empties a slot, and moves back those behind it that an empty slot would part from where they belong. */
  #vacate(slot: number): void {
    const owner = at(this.#owners, slot);
    this.#named[owner] = Number(this.#named[owner]) - 1;
    this.#dropUnnamed(owner);
    this.#used -= 1;
    const mask = this.#owners.length - 1;
    let hole = slot;
    for (let next = (slot + 1) & mask; this.#owners[next] !== 0; next = (next + 1) & mask) {
      const home = spread(at(this.#sums, next)) & mask;
      if (((next - home) & mask) < ((next - hole) & mask)) continue;
      for (const numbers of [this.#owners, this.#starts, this.#sums, this.#counts])
        numbers[hole] = at(numbers, next);
      hole = next;
    }
    this.#owners[hole] = 0;
  }

  #grow(): void {
    const [owners, starts, sums, counts] = [this.#owners, this.#starts, this.#sums, this.#counts];
    const size = owners.length * 2;
    this.#owners = new Int32Array(size);
    this.#starts = new Int32Array(size);
    this.#sums = new Int32Array(size);
    this.#counts = new Int32Array(size);
    for (let old = 0; old < owners.length; old += 1) {
      const [owner, sum] = [at(owners, old), at(sums, old)];
      if (owner === 0) continue;
      let slot = spread(sum) & (size - 1);
      while (this.#owners[slot] !== 0) slot = (slot + 1) & (size - 1);
      this.#fill(slot, { owner, start: at(starts, old), sum, count: at(counts, old) });
    }
  }
}

type Window = Readonly<Record<"owner" | "start" | "sum" | "count", number>>;

const at = (numbers: Int32Array, index: number): number => Number(numbers[index]);

/** Of one form alone, and of more than a few characters. */
function saysSomething(pool: string, start: number): boolean {
  const seen: number[] = [];
  for (let index = start; index < start + WINDOW; index += 1) {
    const one = pool.charCodeAt(index);
    if (one === 0) return false;
    if (seen.length < LEAST_DIFFERENT && !seen.includes(one)) seen.push(one);
  }
  return seen.length === LEAST_DIFFERENT;
}

/** Calls `each` for the windows of a pool that say something. */
function rollWindows(pool: string, each: (start: number, sum: number) => void): void {
  roll(pool, (start, sum) => {
    if (saysSomething(pool, start)) each(start, sum);
  });
}

/** Calls `each` for each piece, with where it starts and its sum. */
function roll(text: string, each: (start: number, sum: number) => void): void {
  let sum = 0;
  for (let index = 0; index < text.length; index += 1) {
    sum = (Math.imul(sum, FACTOR) + text.charCodeAt(index)) | 0;
    if (index >= WINDOW) sum = (sum - Math.imul(text.charCodeAt(index - WINDOW), LEAVING)) | 0;
    if (index >= WINDOW - 1) each(index - WINDOW + 1, sum);
  }
}

/** Returns the low bits of a sum alone follow from the low bits of the characters. */
const spread = (sum: number): number => Math.imul(sum ^ (sum >>> 15), 0x9e3779b1) >>> 7;
