import { expect, it } from "vitest";
import { taskOf } from "../look.ts";
import { labeled } from "../people.ts";
import { coding, leaseOf, ROLES, ran, reviewersOf, reviewing, verdict, verdictsOf } from "../reviewer-rig.ts";
import { aRig } from "../rig.ts";
import { pullOf } from "../together/work-under-way.ts";

const SCRIPT = [
  coding(1, 1),
  { ...reviewing(1, ran(), verdict("approve")), match: "Earlier verdicts on this work" },
  reviewing(1, ran(), verdict("reject")),
];

it.each([
  ["effect:offer_review", 1],
  ["effect:offer_review", 2],
  ["effect:publish_verdict", 1],
  ["effect:publish_verdict", 2],
])("a review ends the same after a crash at %s, time %i", async (point, time) => {
  const rig = await aRig({ settings: { roles: ROLES }, script: SCRIPT, lagMs: 11_000 });
  let met = 0;
  let isOver = false;
  rig.onCrashPoint = (name) => {
    if (name !== point || isOver) return;
    met += 1;
    if (met === time) {
      isOver = true;
      rig.life.end();
    }
  };
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it is killed", () => isOver);
  await rig.restart();
  await rig.pass(60_000);
  await rig.pass(60_000);
  const task = await taskOf(rig);
  expect(task).toMatchObject({ state: "APPROVED", reviewCyclesTotal: 1 });
  expect((await verdictsOf(rig)).map(({ approves }) => approves)).toEqual([false, true]);
  expect((await reviewersOf(rig)).map(({ state }) => state)).toEqual(["COMPLETED", "COMPLETED"]);
  expect(await leaseOf(rig)).toMatchObject({ state: "FREE", token: 2 });
  const reviews = rig.repository.reviews.get(pullOf(rig)) ?? [];
  expect(reviews.map(({ commit }) => commit)).toHaveLength(2);
  expect(rig.repository.checks.get(task?.reviewCommit ?? "")).toMatchObject([{ conclusion: "success" }]);
});
