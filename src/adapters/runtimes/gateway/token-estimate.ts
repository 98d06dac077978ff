/**
 * Bytes per token. English text and code have four or more, Chinese about three; only contrived text has
 * fewer, but at least one. So an estimate is mostly too high, and never less than a third of the real count.
 */
const BYTES_OF_A_TOKEN = 3;

/** Returns the tokens that are counted for a text whose usage the provider does not report. */
export function tokensOf(bytes: number): number {
  return Math.ceil(bytes / BYTES_OF_A_TOKEN);
}
