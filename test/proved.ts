import { appendFileSync } from "node:fs";

/** What a test has shown: the promise, where it is shown, and with which figure. */
export interface Proof {
  readonly promise: string;
  /** Path of the test from the project's root. */
  readonly test: string;
  /** Counted by the test itself, such as `400 acknowledged, 0 lost`. */
  readonly figure: string;
}

/** Called once the proof holds. Adds one line of JSON to the file that FLOTILLA_PROOFS names; `npm run prove` reads it. */
export function proved(proof: Proof): void {
  const file = process.env["FLOTILLA_PROOFS"];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(proof)}\n`);
}
