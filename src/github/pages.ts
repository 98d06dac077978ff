import type { RepositoryRef } from "../core/repository.ts";

const PER_PAGE = 100;

/**
 * All items of a list, page by page, read only as far as they are used. Octokit's own pagination is not used: it
 * takes a 409 for the end of the list.
 */
export async function* pages<Item>(
  fetchPage: (page: { page: number; per_page: number }) => Promise<{ data: Item[] }>,
): AsyncGenerator<Item> {
  for (let page = 1; ; page++) {
    const { data } = await fetchPage({ page, per_page: PER_PAGE });
    yield* data;
    if (data.length < PER_PAGE) return;
  }
}

/** The repository as Octokit's calls name it. */
export function at(repository: RepositoryRef): { owner: string; repo: string } {
  return { owner: repository.owner, repo: repository.name };
}
