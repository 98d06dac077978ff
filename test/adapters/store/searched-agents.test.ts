import { expect, test } from "vitest";
import type { OpenStore } from "../../../src/adapters/store/database.ts";
import { type AgentSearch, SEARCH_ORDERS, statesOf } from "../../../src/domain/agents/agent-search.ts";
import type { Position } from "../../../src/domain/ports/lists.ts";
import { grow, watchedStore } from "./watched-store.ts";

async function pagesOf(store: OpenStore, wanted: Partial<AgentSearch>, limit: number) {
  const search: AgentSearch = { states: statesOf("any"), role: null, words: [], order: "latest", ...wanted };
  const pages: number[][] = [];
  for (let after: Position | null = null; pages.length < 3000; ) {
    const found: Awaited<ReturnType<OpenStore["lists"]["searchedAgents"]>> = await store.lists.searchedAgents(
      { search, repositories: null },
      { after, limit },
    );
    pages.push(found.rows.map(({ row }) => row.id));
    if (found.next === null) return pages;
    after = found.next;
  }
  throw new Error("its pages do not end");
}

test("a page of a search looks at 2,000 agents, and at no more where there are more", async () => {
  const { store, statements, growing } = watchedStore();
  await grow(store, 2500);
  statements();
  const nobody = { words: [{ text: "nobody", repositories: [] }] };
  const [first = [], ...more] = await pagesOf(store, { ...nobody }, 10);
  expect([first, more]).toEqual([[], [[]]]);
  for (const order of ["latest", "oldest"] as const) {
    const all = (await pagesOf(store, { order, states: statesOf("ended") }, 500)).flat();
    expect(all).toHaveLength(1071);
    expect(all).toEqual(all.toSorted((one, other) => (order === "latest" ? other - one : one - other)));
  }
  expect(statements().flatMap(growing)).toEqual([]);
  // The sort by cost takes the latest 2,000, of which none is left out.
  expect((await pagesOf(store, { order: "costliest" }, 500)).flat()).toHaveLength(2000);
});

test("agents that have not ended are found at once behind many that have", async () => {
  const { store } = watchedStore();
  await grow(store, 20);
  const { records } = store;
  const [old] = await records.find("agent", { state: "ACTIVE" });
  for (const order of SEARCH_ORDERS) {
    const pages = await pagesOf(store, { order, states: statesOf("live") }, 3);
    expect(pages.flat()).toContain(old?.id);
    expect(new Set(pages.flat()).size).toBe(pages.flat().length);
    expect(pages.flat()).toEqual((await pagesOf(store, { order, states: statesOf("live") }, 500)).flat());
  }
});
