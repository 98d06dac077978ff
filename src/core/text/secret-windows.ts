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
 * Finds every piece of 12 characters of the forms in a text, neighbours joined. The time grows with the length of the
 * text alone: a sum rolls over it, and only where a form has the same sum are characters compared.
 */
export function windowFinder(forms: readonly string[]): (text: string) => readonly Range[] {
  const pool = forms.join("\0");
  // Places in the pool plus one, found by their sum: open addressing, at most half full.
  const table = new Int32Array(2 ** Math.ceil(Math.log2(pool.length * 2 + 2)));
  const mask = table.length - 1;

  function has(text: string, start: number, sum: number): boolean {
    for (let slot = spread(sum) & mask; ; slot = (slot + 1) & mask) {
      const place = Number(table[slot]) - 1;
      if (place < 0) return false;
      if (same(text, start, place)) return true;
    }
  }

  function same(text: string, start: number, place: number): boolean {
    for (let at = 0; at < WINDOW; at += 1)
      if (text.charCodeAt(start + at) !== pool.charCodeAt(place + at)) return false;
    return true;
  }

  roll(pool, (start, sum) => {
    if (!saysSomething(pool, start) || has(pool, start, sum)) return;
    let slot = spread(sum) & mask;
    while (table[slot] !== 0) slot = (slot + 1) & mask;
    table[slot] = start + 1;
  });

  return (text) => {
    const found: [number, number][] = [];
    if (pool.length < WINDOW) return found;
    roll(text, (start, sum) => {
      if (!has(text, start, sum)) return;
      const last = found.at(-1);
      if (last !== undefined && last[1] >= start) last[1] = start + WINDOW;
      else found.push([start, start + WINDOW]);
    });
    return found;
  };
}

/** Of one form alone, and of more than a few characters. */
function saysSomething(pool: string, start: number): boolean {
  const seen: number[] = [];
  for (let at = start; at < start + WINDOW; at += 1) {
    const one = pool.charCodeAt(at);
    if (one === 0) return false;
    if (seen.length < LEAST_DIFFERENT && !seen.includes(one)) seen.push(one);
  }
  return seen.length === LEAST_DIFFERENT;
}

/** Tells of each piece where it starts and its sum. */
function roll(text: string, each: (start: number, sum: number) => void): void {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) {
    sum = (Math.imul(sum, FACTOR) + text.charCodeAt(at)) | 0;
    if (at >= WINDOW) sum = (sum - Math.imul(text.charCodeAt(at - WINDOW), LEAVING)) | 0;
    if (at >= WINDOW - 1) each(at - WINDOW + 1, sum);
  }
}

/** The low bits of a sum alone follow from the low bits of the characters. */
const spread = (sum: number): number => Math.imul(sum ^ (sum >>> 15), 0x9e3779b1) >>> 7;
