/**
 * Sees a request to GitHub from its beginning to its end. `route` is its template as `/repos/{owner}/{repo}`, with nobody's
 * values in it. Answers and fails as the work does, and holds nothing up.
 */
export type AroundRequest = <T extends { readonly status: number }>(
  asked: { readonly method: string; readonly route: string },
  work: () => Promise<T>,
) => Promise<T>;
