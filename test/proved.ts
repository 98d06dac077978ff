import { appendFileSync } from "node:fs";

/** What a test has proved: the promise, the test, and a figure. */
export interface Proof {
  readonly promise: string;
  /** Path of the test from the project's root. */
  readonly test: string;
  /** Counted by the test itself, such as `400 acknowledged, 0 lost`. */
  readonly figure: string;
}

/**
 * Records a proof; call it once the proof holds. Adds one line of JSON to the file in FLOTILLA_PROOFS, which `npm run
 * prove` reads.
 */
export function proved(proof: Proof): void {
  const file = process.env["FLOTILLA_PROOFS"];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(proof)}\n`);
}
