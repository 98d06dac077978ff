import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import { readNow, type Unread } from "./read-answer.ts";

const PER_PAGE = 100;
/** No list of GitHub's that we read is this long. It is fewer requests than an installation may send in a minute. */
const MOST_PAGES = 300;

/**
 * Yields all items of a list, page by page, and reads only as far as they are used. `shape` returns all items of one
 * page. Does not use Octokit's own pagination, which treats a 409 as the end of the list. Throws `GitHubError` for a
 * list without end.
 */
export async function* pages<Item>(
  fetchPage: (page: { page: number; per_page: number }) => Promise<Unread>,
  shape: z.ZodType<readonly Item[]>,
): AsyncGenerator<Item> {
  let before: unknown;
  for (let page = 1; ; page++) {
    const answer = await fetchPage({ page, per_page: PER_PAGE });
    const items = readNow(answer, shape);
    if (items.length >= PER_PAGE && isDeepStrictEqual(answer.data, before))
      throw answer.misread(`page ${page} repeats the one before`);
    if (page > MOST_PAGES) throw answer.misread(`the list has no end after ${MOST_PAGES} pages`);
    yield* items;
    if (items.length < PER_PAGE) return;
    before = answer.data;
  }
}

/** Returns the repository in the form that Octokit's calls take. */
export function at(repository: RepositoryRef): { owner: string; repo: string } {
  return { owner: repository.owner, repo: repository.name };
}
