/**
 * For a comment of HTML with all up to its first `>`: nothing where the comment ends there, else what was found. A pattern
 * that asks for the end itself would look for it from each beginning again.
 */
export function unlessClosed(found: string): string {
  return found.endsWith("-->") ? "" : found;
}
