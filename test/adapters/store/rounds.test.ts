import { expect, test } from "vitest";
import type { OpenStore } from "../../../src/adapters/store/database.ts";
import { grow, watchedStore } from "./watched-store.ts";

/** What the engine asks in every round. */
async function askAsARound({
  records,
  questions,
  wakes,
  archives,
  effects,
  lists,
}: OpenStore): Promise<void> {
  await records.longAsleep("may_expire", 1000, null, 100);
  await records.longAsleep("may_be_reminded", 1000, null, 100);
  await records.outlived(1000);
  await records.heldLeases({ below: 1000, after: null, limit: 50 });
  await effects.openedFor(7, 1);
  await lists.gaveUp({ repositoryId: 7, issues: null }, 0);
  await records.firstApproved();
  await records.queuedTasks(7, 0, 100);
  await records.renewWaiting({ below: 1000, until: 2000, limit: 200 });
  await records.find("agent", { state: "ACTIVE", id: [1, 2, 3] });
  await questions.answerable(0, 100);
  await wakes.dueAgents(1000);
  await wakes.due(1000, [1, 2, 3]);
  await wakes.firstToGo(1000, 1);
  await archives.left();
}

/** The indexes of the rows that a round asks for. By others it reads every agent that sleeps or has ended. */
const INDEXES = [
  "agent_at_work",
  "agent_ends",
  "agent_gave_up",
  "agent_left",
  "agent_may_be_reminded",
  "agent_may_expire",
  "effect_of_agent",
  "effect_opened_issue",
  "question_unsettled",
  "review_lease_held",
  "task_approved",
  "task_lease",
  "task_queued",
  "wake_pending",
];

test("no question of a round reads a growing table from end to end, or takes more statements for more agents", async () => {
  const { store, statements, planOf, growing } = watchedStore();
  await grow(store, 100);
  statements();
  await askAsARound(store);
  const few = statements();
  await grow(store, 1900, 101);
  statements();
  await askAsARound(store);
  expect(statements()).toHaveLength(few.length);
  expect(few.flatMap(growing).filter((detail) => detail.startsWith("SCAN"))).toEqual([]);
  const indexes = few.flatMap(planOf).map((detail) => / INDEX ([a-z_]+)/.exec(detail)?.[1]);
  expect([...new Set(indexes.filter((name) => name !== undefined))].toSorted()).toEqual(INDEXES);
});

test("the rules are checked in parts, none of which looks at more than 200 rows of a table", async () => {
  const { store, statements } = watchedStore();
  await grow(store, 450);
  statements();
  const broken = await store.checkInvariants(0);
  const parts = statements().filter((text) => text.includes("state = 'SLEEPING' AND sleep_reason IS NULL"));
  const bounds = parts.map((text) => /WHERE id > \+?([\d.]+) AND id <= \+?([\d.]+)/.exec(text) ?? []);
  expect(bounds.map(([, after, to]) => [Number(after), Number(to)])).toEqual([
    [0, 200],
    [200, 400],
    [400, 450],
  ]);
  // The whole of what is wrong with these rows, of all parts.
  const active = broken.find(({ rule }) => rule === "active_has_lease")?.ids ?? [];
  expect(active.length).toBe((await store.records.ids("agent", { state: "ACTIVE" })).length);
});
