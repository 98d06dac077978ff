/**
 * Drops an HTML comment that ends at its first `>`, for matches up to there; returns any other match unchanged. A
 * pattern that searched for the end itself would repeat the search from each beginning.
 */
export function unlessClosed(found: string): string {
  return found.endsWith("-->") ? "" : found;
}
