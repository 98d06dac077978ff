import { expect, it } from "vitest";
import { someSettings } from "../../factories/some-settings.ts";
import { agentOf, decisionsOn, runOf, stateOf, taskOf } from "../look.ts";
import { closed, reviewed, said, tell } from "../people.ts";
import type { Rig } from "../rig.ts";
import { REVIEWER, underReview } from "../together/reviewing.ts";
import { atWork, awake, host, pullOf, requestReview, taskDoes } from "../together/work-under-way.ts";

const ONE_ROUND = { settings: { review: { ...someSettings().review, maxCycles: 1 } } };

async function leaseOf(rig: Rig) {
  const [lease] = await rig.store.records.find("review_lease", { taskId: (await taskOf(rig))?.id ?? 0 });
  return lease;
}

async function deadlock(): Promise<Rig> {
  const rig = await atWork(ONE_ROUND);
  await requestReview(rig);
  await tell(rig, reviewed(rig, pullOf(rig), "changes_requested"));
  return rig;
}

it("that rejects in the last round blocks the task, and its coder asks a person", async () => {
  const rig = await deadlock();
  expect(await taskOf(rig)).toMatchObject({
    state: "BLOCKED",
    blockedReason: "review_deadlock",
    reviewCyclesCurrent: 1,
  });
  expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", category: "review_deadlock" });
  expect(await decisionsOn(rig)).toContain("review_deadlock");
});

it("that ended in a deadlock begins again when a person lets the coder continue", async () => {
  const rig = await deadlock();
  await rig.engine.handle(said(rig, 1, "/flotilla resume"));
  await awake(rig);
  expect(await taskOf(rig)).toMatchObject({ state: "CLAIMED", blockedReason: null });
  expect((await runOf(rig))?.state).toBe("executing");
});

it("that ended in a deadlock is given up by a person's cancel", async () => {
  const rig = await deadlock();
  await tell(rig, said(rig, 1, "/flotilla cancel"));
  expect((await taskOf(rig))?.state).toBe("ABANDONED");
  expect(await stateOf(rig)).toBe("CANCELLED");
});

it("is held by one reviewer with an end and a token", async () => {
  const rig = await underReview();
  const { id } = await agentOf(rig, REVIEWER);
  expect(await leaseOf(rig)).toMatchObject({ state: "HELD", holderId: id, token: 1 });
});

it("that a new commit overtakes loses its reviewer, without a word on the issue", async () => {
  const rig = await underReview();
  await taskDoes(rig, { ...host(rig), type: "NEW_COMMIT", commit: "d".repeat(40) });
  await rig.idle();
  expect(await agentOf(rig, REVIEWER)).toMatchObject({ state: "CANCELLED" });
  expect(await leaseOf(rig)).toMatchObject({ state: "FREE", holderId: null });
  expect(await taskOf(rig)).toMatchObject({ state: "READY_FOR_REVIEW", reviewCommit: "d".repeat(40) });
});

it("of an issue that a person closes is over for reviewer and coder", async () => {
  const rig = await underReview();
  await tell(rig, closed(rig, 1));
  expect(await stateOf(rig, REVIEWER)).toBe("CANCELLED");
  expect(await stateOf(rig)).toBe("CANCELLED");
  expect(await leaseOf(rig)).toMatchObject({ state: "FREE" });
});
