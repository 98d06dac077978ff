/**
 * Characters of the shortest piece of a secret that is redacted: an attacker who cannot get a secret asks for its
 * halves.
 */
export const WINDOW = 12;

/** A window with fewer different characters, such as zeros in a key, reveals nothing and occurs in ordinary texts. */
const LEAST_DIFFERENT = 5;

const FACTOR = 0x01000193;
/** FACTOR to the power of WINDOW, the weight of the character that leaves the sum. */
const LEAVING = Array.from({ length: WINDOW }).reduce<number>((power) => Math.imul(power, FACTOR), 1);

/** Start and end of a range; the end is excluded. */
export type Range = readonly [number, number];

/**
 * Finds windows of forms in time linear in the text: a rolling sum, with a comparison of characters only where the sums
 * match. Adding and removing forms costs the time of these forms alone.
 */
export class WindowSet {
  /** The forms of one `add`, joined; the index is the number in `#owners`. Dropped when no slot refers to it. */
  readonly #pools = [""];
  readonly #named = [0];
  readonly #free: number[] = [];
  #used = 0;
  // One slot for each different window: open addressing, at most half full. Owner 0 is an empty slot.
  #owners = new Int32Array(64);
  #starts = new Int32Array(64);
  #sums = new Int32Array(64);
  /** How often a window occurs in the pools. */
  #counts = new Int32Array(64);

  get isEmpty(): boolean {
    return this.#used === 0;
  }

  /** Adds forms; returns the pool that `remove` takes. */
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

  /** Removes the forms of one `add`, once. */
  remove(pool: string): void {
    rollWindows(pool, (start, sum) => {
      const slot = this.#slotOf(pool, start, sum);
      const count = at(this.#counts, slot) - 1;
      this.#counts[slot] = count;
      if (count === 0) this.#vacate(slot);
    });
  }

  /** Returns the range of every window in a text; adjacent ranges are joined. */
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

  /** Returns the slot of this window, or the empty slot where it would be stored. */
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

  /** Empties a slot, and moves back the later entries that could not be found across the empty slot. */
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

/** Returns true for a window that lies within one form and has enough different characters. */
function saysSomething(pool: string, start: number): boolean {
  const seen: number[] = [];
  for (let index = start; index < start + WINDOW; index += 1) {
    const one = pool.charCodeAt(index);
    if (one === 0) return false;
    if (seen.length < LEAST_DIFFERENT && !seen.includes(one)) seen.push(one);
  }
  return seen.length === LEAST_DIFFERENT;
}

/** Calls `each` for the windows of a pool that are worth a search. */
function rollWindows(pool: string, each: (start: number, sum: number) => void): void {
  roll(pool, (start, sum) => {
    if (saysSomething(pool, start)) each(start, sum);
  });
}

/** Calls `each` for each window, with its start and its sum. */
function roll(text: string, each: (start: number, sum: number) => void): void {
  let sum = 0;
  for (let index = 0; index < text.length; index += 1) {
    sum = (Math.imul(sum, FACTOR) + text.charCodeAt(index)) | 0;
    if (index >= WINDOW) sum = (sum - Math.imul(text.charCodeAt(index - WINDOW), LEAVING)) | 0;
    if (index >= WINDOW - 1) each(index - WINDOW + 1, sum);
  }
}

/** Mixes the bits of a sum: its low bits alone depend only on the low bits of the characters. */
const spread = (sum: number): number => Math.imul(sum ^ (sum >>> 15), 0x9e3779b1) >>> 7;
