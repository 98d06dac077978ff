import { editDistance } from "../domain/commands/edit-distance.ts";

/**
 * Returns the candidate that `word` was probably meant to be; undefined when none is similar. Ignores case.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const allowed = Math.max(2, Math.floor(word.length / 3));
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance <= allowed && distance < candidate.length && (!best || distance < best.distance)) {
      best = { candidate, distance };
    }
  }
  return best?.candidate;
}

/** Returns the end of a fault about an unknown name: ` Did you mean "x"?`, or ` Known: a, b, c.`. */
export function suggestion(word: string, candidates: Iterable<string>): string {
  const known = [...candidates];
  const near = nearest(word, known);
  if (near !== undefined) return ` Did you mean "${near}"?`;
  return known.length === 0 ? "" : ` Known: ${known.join(", ")}.`;
}
