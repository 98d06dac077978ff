/** Enough rounds for any realistic nesting. */
const ROUNDS = 8;

/**
 * Repeats `step` until it changes nothing, so that the result is idempotent. A text that still changes after all rounds
 * is reduced to letters, digits and white space, which no step changes.
 */
export function repeatUntilStable(text: string, step: (text: string) => string): string {
  let before = text;
  for (let round = 0; round < ROUNDS; round += 1) {
    const after = step(before);
    if (after === before) return after;
    before = after;
  }
  return before.replaceAll(/[^\p{L}\p{N}\s]/gu, " ");
}
