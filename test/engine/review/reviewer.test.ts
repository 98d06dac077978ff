import { expect, it } from "vitest";
import { agentOf, runOf, stateOf, taskOf, toldTo } from "../look.ts";
import {
  coding,
  leaseOf,
  ran,
  reviewersOf,
  reviewing,
  reviewRig,
  verdict,
  verdictsOf,
} from "../reviewer-rig.ts";

it("starts when work is up for review, in a checkout of that commit, and its approval approves the task", async () => {
  const rig = await reviewRig([coding(1), reviewing(1, ran(), verdict("approve"))]);
  const task = await taskOf(rig);
  expect(task).toMatchObject({ state: "APPROVED", verdicts: [{ reviewer: "reviewer" }] });
  const [reviewer, ...others] = await reviewersOf(rig);
  expect(others).toEqual([]);
  expect(reviewer).toMatchObject({
    state: "COMPLETED",
    branch: null,
    worktreePath: null,
    headCommit: task?.reviewCommit,
  });
  expect((await runOf(rig, reviewer?.name))?.state).toBe("succeeded");
  expect(await leaseOf(rig)).toMatchObject({ state: "FREE", token: 1 });
  expect(await verdictsOf(rig)).toMatchObject([
    { approves: true, commit: task?.reviewCommit, evidence: ["npm test"] },
  ]);
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "review" });
});

it("that rejects wakes the same coder with what is wrong, and reviews what it fixes", async () => {
  const comments = [{ path: "feature.ts", line: 1, body: "Export nothing." }];
  const rig = await reviewRig([
    coding(1, 1),
    { ...reviewing(1, ran(), verdict("approve")), match: "Earlier verdicts on this work" },
    reviewing(1, ran(), verdict("reject", { comments })),
  ]);
  expect(toldTo(rig)[1]).toContain("reviewer rejects");
  expect(toldTo(rig)[1]).toContain("- `feature.ts:1`: Export nothing.");
  expect(await taskOf(rig)).toMatchObject({ state: "APPROVED", reviewCyclesTotal: 1 });
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect((await verdictsOf(rig)).map(({ approves, state }) => `${approves} ${state}`)).toEqual([
    "false dropped",
    "true current",
  ]);
  expect(await reviewersOf(rig)).toHaveLength(2);
});
