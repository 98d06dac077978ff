import { expect, it } from "vitest";
import { overview } from "../../src/dashboard/api/overview.ts";
import { ReadTurns } from "../../src/dashboard/api/read-turns.ts";
import { rightsOf } from "../../src/dashboard/auth/viewer.ts";
import { grow, watchedStore } from "../adapters/store/watched-store.ts";
import { pageParts } from "./page-parts.ts";

it("the overview takes as many statements and shows as many rows of 2,000 agents as of 400, and reads no table whole", async () => {
  const { store, statements, growing } = watchedStore();
  const parts = { ...pageParts(), store, turns: new ReadTurns() };
  const rights = rightsOf({ kind: "operator" }, { ...parts, repositories: store.repositories });
  const shown = async () => {
    statements();
    const { agents, tasks, waiting } = await overview(parts, rights, 1_000_000);
    const asked = statements();
    return {
      statements: asked.length,
      rows: [agents.length, tasks.length, waiting.length],
      whole: asked.flatMap(growing).filter((detail) => detail.startsWith("SCAN")),
    };
  };
  await grow(store, 400);
  const few = await shown();
  expect(few).toMatchObject({ whole: [] });
  await grow(store, 1600, 401);
  expect(await shown()).toEqual(few);
});
