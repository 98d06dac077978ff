/** So many rounds are enough for whatever was nested in something else. */
const ROUNDS = 8;

/**
 * `step` done again until it changes nothing more, so that a text that was made safe is left as it is the next time. Of a
 * text that does not come to rest only letters, digits and white space are left, which no step changes.
 */
export function settled(text: string, step: (text: string) => string): string {
  let before = text;
  for (let round = 0; round < ROUNDS; round += 1) {
    const after = step(before);
    if (after === before) return after;
    before = after;
  }
  return before.replaceAll(/[^\p{L}\p{N}\s]/gu, " ");
}
