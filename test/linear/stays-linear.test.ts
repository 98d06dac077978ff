import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ENDS, PIECES, READERS } from "./foreign-texts.ts";

const SHORT = 8_000;
const LONG = 4 * SHORT;

/**
 * Microseconds of processor time. A short text that takes less than `QUICK` is read in linear time: the square of its length
 * takes more. A long one may take `ALLOWED`, and else ten times what the short one takes: linear is four times, square sixteen.
 */
const QUICK = 4_000;
const ALLOWED = 100_000;
const TIMES = 10;

const textOf = (piece: string, end: string, length: number) =>
  piece.repeat(Math.ceil(length / piece.length)) + end;

/** Of this thread alone: what else the machine does does not count. */
function cost(read: (text: string) => unknown, text: string): number {
  const before = process.threadCpuUsage();
  read(text);
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

function isLinear(read: (text: string) => unknown, piece: string, end: string): boolean {
  const short = textOf(piece, end, SHORT);
  if (cost(read, short) < QUICK) return true;
  const long = textOf(piece, end, LONG);
  // The lesser of two: the first may wait for the compiler or for garbage.
  const least = (text: string) => Math.min(cost(read, text), cost(read, text));
  return cost(read, long) < ALLOWED || least(long) < Math.max(ALLOWED, TIMES * least(short));
}

// Counted in processor time; the limit only ends what hangs. The longest reader takes 21 s on a quiet machine.
describe("time to read a text of others grows as its length", { timeout: 300_000 }, () => {
  it.each(READERS)("%s", (_, read) => {
    const slow = PIECES.flatMap((piece) =>
      ENDS.filter((end) => !isLinear(read, piece, end)).map((end) => ({ piece, end })),
    );
    expect(slow).toEqual([]);
  });

  it("whatever pieces take turns", () => {
    const pieces = fc
      .array(fc.constantFrom(...PIECES), { minLength: 2, maxLength: 4 })
      .map((some) => some.join(""));
    fc.assert(
      fc.property(fc.constantFrom(...READERS), pieces, fc.constantFrom(...ENDS), ([, read], piece, end) => {
        expect(isLinear(read, piece, end)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
