import { safeLine } from "./safe/inline.ts";

/** Longer ones are cut. */
const LONGEST = 200;

/** Text of others in a table cell, a list or a fold: one line that breaks out of none of them, reaches nobody, and is not endless. */
export function oneLine(text: string): string {
  const flat = text.replace(/\s+/g, " ").trim();
  // Cut first: where something ends in the middle, it is not what it was.
  const kept = flat.length > LONGEST ? `${flat.slice(0, LONGEST - 1)}…` : flat;
  return safeLine(kept).replace(/(?<!\\)\\*\|/g, "\\|");
}
