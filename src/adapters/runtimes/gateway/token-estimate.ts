/**
 * Text of one token, in bytes. English and code have four or more, Chinese some three; only text made for it has less, but
 * never less than one. So an estimate is mostly too high, and never less than a third of the truth.
 */
const BYTES_OF_A_TOKEN = 3;

/** Returns the tokens that so much text is booked as where the provider does not say. */
export function tokensOf(bytes: number): number {
  return Math.ceil(bytes / BYTES_OF_A_TOKEN);
}
