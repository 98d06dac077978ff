import {
  SEARCH_ORDERS,
  SEARCH_STATES,
  type SearchOrder,
  type SearchState,
  type SearchWord,
  searchWords,
  statesOf,
} from "../../domain/agents/agent-search.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { OfRepositories } from "../../domain/ports/lists.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { type Answer, NOT_FOUND, ok } from "../../http/answer.ts";
import { agentViews } from "./agent-view.ts";
import { cursorOf, NO_PAGE, pageOf } from "./paging.ts";
import type { ApiParts, ViewerAsked } from "./parts.ts";

/** Numbers in a cursor, by order. */
const KEYS: Readonly<Record<SearchOrder, number>> = { latest: 1, oldest: 1, costliest: 3 };

/** Searches the agents that the viewer may see; the names of their repositories and of the roles are what may be chosen. */
export async function searchAgents(parts: ApiParts, { rights, query }: ViewerAsked): Promise<Answer> {
  const { store, settings } = parts;
  const order = named(SEARCH_ORDERS, query.get("order")) ?? "latest";
  const page = pageOf(query, KEYS[order]);
  if (page === null) return NO_PAGE;
  const mine = await rights.repositories();
  const known = (await store.repositories.all()).filter(({ id }) => mine === null || mine.includes(id));
  const asked = query.get("repository");
  const only = known.filter((each) => fullName(each).toLowerCase() === asked?.toLowerCase());
  if (asked !== null && only.length === 0) return NOT_FOUND;
  const words = searchWords(query.get("q") ?? "").map((text) => ({
    text,
    repositories: known.filter((each) => fullName(each).toLowerCase().includes(text)).map(({ id }) => id),
  }));
  const state: SearchState = named(SEARCH_STATES, query.get("state")) ?? "live";
  const { rows, next } = await store.lists.searchedAgents(
    {
      search: { states: statesOf(state), role: query.get("role"), words, order },
      repositories: asked === null ? mine : only.map(({ id }) => id),
    },
    page,
  );
  const seen = await agentViews(
    parts,
    rows.map(({ row }) => row),
  );
  return ok({
    agents: seen.map(({ view }) => view),
    next: next === null ? null : cursorOf(next),
    repositories: known.map(fullName),
    roles: known.length === 0 ? [] : [...settings.roles.keys()],
    none:
      rows.length > 0 || page.after !== null
        ? null
        : await whyNone(store, words, {
            all: mine,
            asked: (asked === null ? known : only).map(({ id }) => id),
          }),
  });
}

/**
 * Says why the first page is empty: an issue without an agent, or a filter that hides agents. `asked` are the
 * repositories of the filter.
 */
async function whyNone(
  { lists, records }: Pick<Tables, "lists" | "records">,
  words: readonly SearchWord[],
  { all, asked }: { readonly all: OfRepositories; readonly asked: readonly number[] },
) {
  const [word, ...others] = words;
  const issue = others.length === 0 && /^[1-9]\d{0,8}$/.test(word?.text ?? "") ? Number(word?.text) : null;
  const taken = issue === null ? [] : await records.issues("agent", { repositoryId: asked, issue });
  const { rows } = await lists.searchedAgents(
    { search: { states: statesOf("any"), role: null, words, order: "latest" }, repositories: all },
    { after: null, limit: 1 },
  );
  return {
    /** The issue that was looked for, if no agent has been on it. */
    issue_without_agent: taken.length === 0 ? issue : null,
    /** Whether agents match without the choice of states, role and repository. */
    hidden_by_filter: rows.length > 0,
  };
}

export type NoneFound = Awaited<ReturnType<typeof whyNone>>;

function named<Word extends string>(words: readonly Word[], text: string | null): Word | undefined {
  return words.find((word) => word === text);
}
