import { expect, it } from "vitest";
import { beyondBounds } from "../../../src/cli/replay/beyond-bounds.ts";
import type { Store } from "../../../src/domain/ports/store.ts";
import { aRole } from "../../factories/a-role.ts";
import { aRepository } from "../../factories/an-occurrence.ts";
import { OURS } from "../../factories/leases.ts";
import { memoryStore } from "../../factories/memory-store.ts";
import { AT } from "../../factories/moment.ts";
import { anAgent } from "../../factories/records.ts";
import { LIMITS, rolesOf, someSettings } from "../../factories/some-settings.ts";

const ISSUE = 42;
const PRESENT = someSettings({ level: "merge" });
const OBSERVING = someSettings({ level: "observe" });

const ACTS = {
  status_comment: { kind: "status_comment" },
  merge_pull: { kind: "merge_pull", task: 1, pull: 43, head: "a".repeat(40), base: "b".repeat(40) },
} as const;

type Done = readonly [kind: keyof typeof ACTS, repositoryId: number, issue: number];

/** A database in which these acts were done; merges in the lane of their merge queue. */
async function done(...acts: readonly Done[]): Promise<Store> {
  const store = memoryStore();
  await store.repositories.put(aRepository({ id: 7 }));
  await store.repositories.put(aRepository({ id: 8, name: "other" }));
  const ids = await store.effects.add(
    acts.map(([kind, repositoryId, issue], index) => ({
      key: `e${index}`,
      lane: kind === "merge_pull" ? `train:${repositoryId}` : `issue:${repositoryId}#${issue}`,
      repositoryId,
      issue,
      agentId: null,
      token: null,
      payload: ACTS[kind],
      createdAt: AT,
    })),
  );
  for (let left = ids.length; left > 0; ) {
    const leased = await store.effects.lease({ ...OURS, now: AT, leaseMs: () => 1000, limit: 9 });
    for (const { id } of leased)
      await store.effects.settle(id, OURS.token, { state: "done", result: null, error: null, at: AT });
    left -= leased.length;
  }
  return store;
}

const met = (store: Store, other = OBSERVING) =>
  beyondBounds(store, { present: PRESENT, other }, { repository: aRepository({ id: 7 }), issue: ISSUE });

it("names what was done on the issue and would not be, its merges in the merge queue's lane too", async () => {
  const store = await done(
    ["status_comment", 7, ISSUE],
    ["merge_pull", 7, ISSUE],
    ["merge_pull", 7, ISSUE],
    ["merge_pull", 7, 1],
    ["merge_pull", 8, ISSUE],
    ["status_comment", 7, 1],
  );
  expect((await met(store)).map(({ recorded }) => recorded)).toEqual([
    "1 × status_comment was done at merge",
    "2 × merge_pull was done at merge",
  ]);
  await store.close();
});

it("names no limit of an agent whose role one of the two does not have", async () => {
  const store = await done();
  await store.records.insert("agent", anAgent({ issue: ISSUE, turns: 12, role: "feat-dev" }));
  const tight = { turnCeiling: 200, defaults: { ...LIMITS, maxTurns: 11 }, roles: new Map() };
  expect(await met(store, someSettings({ level: "merge", limits: tight }))).toHaveLength(1);
  const roles = rolesOf(aRole({ name: "bug-fix" }));
  expect(await met(store, someSettings({ level: "merge", limits: tight, roles }))).toEqual([]);
  await store.close();
});
