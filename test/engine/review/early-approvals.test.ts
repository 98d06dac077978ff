import { expect, it } from "vitest";
import { MINUTE } from "../../factories/moment.ts";
import { withoutPutOff } from "../../factories/put-off.ts";
import { addReview, person } from "../../fakes/github-world.ts";
import { takeIn } from "../inbox-of.ts";
import { agentOf, decisionsOn, stateOf, taskOf, toldTo } from "../look.ts";
import { dismissed, labeled, pushed, reviewed, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, commit, edit, on, openPr, review, slowly } from "../scripts.ts";
import { pullOf } from "../together/work-under-way.ts";

const BRANCH = "flotilla/feat-dev/issue-1";
const REVIEW = "pull_request_review.submitted";
const LOOK = 5 * MINUTE;

/** The coder thinks for a minute before it asks for the review of its last commit. */
async function aboutToAsk(): Promise<Rig> {
  const script = [on(1, edit(), commit, openPr, slowly(MINUTE, review), after("came before", review))];
  const rig = await aRig({ script });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it is about to ask", () => rig.runtime.requests.length === 4);
  // A minute that passes in the middle of an effect would be the end of its time.
  await rig.until("nothing else is under way", async () => {
    return (
      withoutPutOff(await rig.store.effects.find({ state: ["pending", "leased"] }), rig.clock.now())
        .length === 0
    );
  });
  return rig;
}

/** It has asked. */
async function asks(rig: Rig): Promise<void> {
  rig.clock.advance(MINUTE);
  await rig.idle();
}

async function asked(): Promise<Rig> {
  const rig = await aboutToAsk();
  await asks(rig);
  expect((await taskOf(rig))?.state).toBe("READY_FOR_REVIEW");
  return rig;
}

const sleepsApproved = async (rig: Rig): Promise<void> => {
  expect((await taskOf(rig))?.state).toBe("APPROVED");
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "review" });
};

it("counts an approval that comes before its commit is up for review, once it is", async () => {
  const rig = await aboutToAsk();
  await rig.engine.handle(reviewed(rig, pullOf(rig), "approved"));
  await asks(rig);
  expect((await taskOf(rig))?.state).toBe("READY_FOR_REVIEW");
  expect(await takeIn(rig)).toEqual([REVIEW]);
  await sleepsApproved(rig);
});

it("counts one whose webhook comes after GitHub's list has told it, and once", async () => {
  const rig = await aboutToAsk();
  const late = reviewed(rig, pullOf(rig), "approved");
  await asks(rig);
  expect(await takeIn(rig)).toEqual([REVIEW]);
  await sleepsApproved(rig);
  await tell(rig, late);
  await sleepsApproved(rig);
  expect(toldTo(rig)).toHaveLength(1);
});

it("takes the webhook of one that comes after, and finds nothing new in GitHub's list", async () => {
  const rig = await asked();
  await tell(rig, reviewed(rig, pullOf(rig), "approved"));
  await sleepsApproved(rig);
  await rig.pass(LOOK);
  expect(await takeIn(rig)).toEqual([]);
});

it("finds one in the next round of looks when its webhook was lost, also one from before", async () => {
  for (const before of [0, 2 * MINUTE]) {
    const rig = await asked();
    expect(await takeIn(rig)).toEqual([]);
    const at = rig.clock.now() - before;
    const head = rig.worktrees.serverHead(BRANCH);
    addReview(rig.repository, pullOf(rig), {
      by: person("bob"),
      at,
      verdict: "approved",
      commit: head,
      body: "",
    });
    await rig.pass(LOOK);
    expect(await takeIn(rig)).toEqual([REVIEW]);
    await sleepsApproved(rig);
    await rig.pass(LOOK);
    expect(await takeIn(rig)).toEqual([]);
  }
});

it("counts one of a person's commit whose push is told later", async () => {
  const rig = await asked();
  const push = pushed(rig, BRANCH, { "by-hand.ts": "1" }, { by: "alice" });
  await tell(rig, reviewed(rig, pullOf(rig), "approved", { by: "bob" }));
  expect(await decisionsOn(rig)).toContain("other_commit");
  await tell(rig, push);
  expect(await taskOf(rig)).toMatchObject({ state: "READY_FOR_REVIEW", verdicts: [] });
  expect(await takeIn(rig)).toEqual([REVIEW]);
  expect((await taskOf(rig))?.state).toBe("APPROVED");
});

it("does not count one over a later request for changes by somebody else, which rejects the commit", async () => {
  const rig = await aboutToAsk();
  await rig.engine.handle(reviewed(rig, pullOf(rig), "approved", { by: "bob" }));
  await rig.engine.handle(reviewed(rig, pullOf(rig), "changes_requested", { by: "alice" }));
  await asks(rig);
  const told = toldTo(rig).length;
  await takeIn(rig);
  const task = await taskOf(rig);
  expect(task?.state).not.toBe("APPROVED");
  expect(task?.reviewCyclesCurrent).toBe(1);
  expect(toldTo(rig).length).toBeGreaterThan(told);
});

it("does not count one again that was taken back", async () => {
  const rig = await asked();
  await tell(rig, reviewed(rig, pullOf(rig), "approved"), dismissed(rig, pullOf(rig), "alice"));
  expect((await taskOf(rig))?.state).toBe("READY_FOR_REVIEW");
  await rig.pass(LOOK);
  expect(await takeIn(rig)).toEqual([]);
  expect(await stateOf(rig)).toBe("SLEEPING");
});
