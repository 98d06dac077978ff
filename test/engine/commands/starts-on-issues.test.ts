import { expect, it } from "vitest";
import { tell } from "../people.ts";
import { personsPull, saidOnPull } from "../persons-pull.ts";
import { ROLES } from "../reviewer-rig.ts";
import { aRig, type Rig } from "../rig.ts";

const PULL = 2;
const start = { repository: "acme/shop", words: "", id: "s", by: "alice" };

/** A person's pull request from a fork, which Flotilla knows. */
async function withPull(): Promise<Rig> {
  const rig = await aRig({ issues: 1, settings: { roles: ROLES } });
  personsPull(rig, { by: "eve", head: "forks", fork: "eve/shop" });
  await tell(rig, saidOnPull(rig, PULL, "Looks good."));
  return rig;
}

it("starts no work on a pull request, as a comment there starts none", async () => {
  const rig = await withPull();
  await expect(
    rig.engine.operations.startWork({ ...start, on: { issue: PULL }, role: "feat-dev" }),
  ).rejects.toMatchObject({ code: "not_steered", hint: expect.stringContaining("/flotilla fix") });
  expect(await rig.store.records.find("agent", {})).toEqual([]);
  expect(await rig.store.records.find("task", {})).toEqual([]);
});

it.each(["retry", "revive"] as const)("makes no other attempt on a pull request by %s", async (operation) => {
  const rig = await withPull();
  await rig.engine.handle(saidOnPull(rig, PULL, "/flotilla fix"));
  const agent = "acme/shop:feat-dev-issue-2";
  await rig.engine.operations.kill({ agent, id: "k", by: "alice", reason: null });
  await expect(
    rig.engine.operations[operation]({ agent, id: "r", by: "alice", reason: null }),
  ).rejects.toMatchObject({ code: "not_steered", hint: expect.stringContaining("/flotilla fix") });
  expect(await rig.store.records.find("agent", {})).toHaveLength(1);
  expect(await rig.store.records.find("task", {})).toEqual([]);
});

it.each([
  ["", "unknown_role"],
  ["painter", "unknown_role"],
  ["reviewer", "no_review"],
])("opens no issue where the start with the role %j would be refused on it", async (role, rule) => {
  const rig = await withPull();
  const before = rig.repository.issues.size;
  await expect(
    rig.engine.operations.startWork({ ...start, on: { title: "Sort it", body: "" }, role }),
  ).rejects.toMatchObject({ code: "policy_denied", fault: { rule } });
  expect(rig.repository.issues.size).toBe(before);
});

it("opens an issue and starts the role on it", async () => {
  const rig = await withPull();
  const started = await rig.engine.operations.startWork({
    ...start,
    on: { title: "Sort it", body: "By date." },
    role: "feat-dev",
  });
  expect(started).toMatchObject({ issue: 3, agent: { name: "feat-dev-issue-3" } });
});
