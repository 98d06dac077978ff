import { expect, it } from "vitest";
import { MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { takeIn } from "../inbox-of.ts";
import { decisionsOn, statusComments, taskOf, toldTo } from "../look.ts";
import { merging, rounds } from "../merge-queue-rig.ts";
import { dismissed, labeled, reviewed, said, tell } from "../people.ts";
import { ROLES, ran, reviewersOf, reviewing, verdict } from "../reviewer-rig.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, commit, edit, on, onAttempt, openPr, review, say, slowly } from "../scripts.ts";
import { pullOf } from "../together/work-under-way.ts";

const built = [edit(), commit, openPr, review] as const;
const stateOfTask = async (rig: Rig) => (await taskOf(rig))?.state;
const isMerged = (rig: Rig) => rig.repository.pulls.get(pullOf(rig))?.merged;

it("is no work for an agent to approve when its coder only asks again", async () => {
  const settings = { roles: ROLES, ...merging() };
  const again = [
    after("Please add a test", review),
    after("requested changes of this very commit", say("Hm.")),
  ];
  const script = [on(1, ...built, ...again), reviewing(1, slowly(2 * MINUTE, ran()), verdict("approve"))];
  const rig = await aRig({ settings, script });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until(
    "an agent reviews it",
    async () => (await reviewersOf(rig)).length === 1 && rig.runtime.requests.length >= 5,
  );
  await rig.engine.handle(reviewed(rig, pullOf(rig), "changes_requested"));
  rig.clock.advance(2 * MINUTE);
  await rig.idle();
  await rounds(rig);
  expect(toldTo(rig).join("\n")).toContain("@alice requested changes of this very commit");
  expect(["REJECTED", "CLAIMED"]).toContain(await stateOfTask(rig));
  expect(isMerged(rig)).toBe(false);
});

/** Rejected by alice and by bob, its coder says nothing more. */
async function rejectedByTwo(...more: Parameters<typeof on>[1][]): Promise<Rig> {
  const rig = await aRig({
    settings: merging(),
    script: [on(1, ...built, after("Please add a test", say("I do not see why.")), ...more)],
  });
  await tell(rig, labeled(rig, 1));
  await tell(rig, reviewed(rig, pullOf(rig), "changes_requested", { by: "alice" }));
  await tell(rig, reviewed(rig, pullOf(rig), "changes_requested", { by: "bob" }));
  return rig;
}

const requestsOf = async (rig: Rig) => {
  const rows = await rig.store.verdicts.ofTask((await taskOf(rig))?.id ?? 0);
  return rows
    .filter(({ state, approves }) => state === "current" && !approves)
    .map(({ reviewer }) => reviewer);
};

it("stands for each person who asked, until they approve or it is dismissed", async () => {
  const rig = await rejectedByTwo();
  expect(await requestsOf(rig)).toEqual(["alice", "bob"]);
  await tell(rig, reviewed(rig, pullOf(rig), "approved", { by: "alice" }));
  expect(await requestsOf(rig)).toEqual(["bob"]);
  await tell(rig, dismissed(rig, pullOf(rig), "alice"));
  expect(await requestsOf(rig)).toEqual(["bob"]);
  await tell(rig, dismissed(rig, pullOf(rig), "bob"));
  expect(await requestsOf(rig)).toEqual([]);
  expect(await decisionsOn(rig)).toContain("nothing_to_do");
});

it("lets the commit be reviewed again once nobody asks for changes of it any more", async () => {
  const script = [on(1, ...built, after("approved", review))];
  const rig = await aRig({ settings: merging(), script });
  await tell(rig, labeled(rig, 1));
  await tell(rig, reviewed(rig, pullOf(rig), "changes_requested"));
  await tell(rig, reviewed(rig, pullOf(rig), "approved", { body: "I was wrong." }));
  expect(await stateOfTask(rig)).toBe("READY_FOR_REVIEW");
  expect(statusComments(rig).at(-1)).toContain("review");
});

it("is found before a merge although its webhook is late, and rejects the work once", async () => {
  const rig = await aRig({ settings: merging(), script: [on(1, ...built)] });
  await tell(rig, labeled(rig, 1));
  const late = reviewed(rig, pullOf(rig), "changes_requested", { by: "alice" });
  rig.clock.advance(1000);
  await tell(rig, reviewed(rig, pullOf(rig), "approved", { by: "bob" }));
  await rounds(rig);
  expect(await stateOfTask(rig)).toBe("APPROVED");
  expect(isMerged(rig)).toBe(false);
  expect(statusComments(rig).at(-1)).toContain("`@alice` requested changes of #4 on GitHub");
  expect(await takeIn(rig)).toEqual(["pull_request_review.submitted"]);
  await rounds(rig);
  expect(await taskOf(rig)).toMatchObject({ reviewCyclesCurrent: 1 });
  await tell(rig, late);
  expect(await taskOf(rig)).toMatchObject({ reviewCyclesCurrent: 1 });
  expect(isMerged(rig)).toBe(false);
});

it("holds no merge by somebody who may not write", async () => {
  const rig = await aRig({ settings: merging(), script: [on(1, ...built)] });
  await tell(rig, labeled(rig, 1));
  reviewed(rig, pullOf(rig), "changes_requested", { by: "mallory" });
  await tell(rig, reviewed(rig, pullOf(rig), "approved", { by: "bob" }));
  await rounds(rig);
  expect(isMerged(rig)).toBe(true);
});

it("says nothing of new work where it is of an earlier attempt's pull request, nor does a dismissal there", async () => {
  const settings = { review: { ...someSettings().review, reviewers: 2 } };
  const afresh = onAttempt(1, 2, edit("b.ts"), commit, openPr, review);
  const rig = await aRig({ settings, script: [afresh, on(1, ...built)] });
  await tell(rig, labeled(rig, 1));
  const first = pullOf(rig);
  await tell(rig, said(rig, 1, "/flotilla cancel"), said(rig, 1, "/flotilla retry"));
  const second = [...rig.repository.pulls.keys()].at(-1) ?? 0;
  await tell(rig, reviewed(rig, second, "approved", { by: "bob" }));
  await tell(rig, reviewed(rig, first, "changes_requested"), dismissed(rig, first, "bob"));
  const task = await taskOf(rig);
  expect(second).not.toBe(first);
  expect(task?.state).toBe("READY_FOR_REVIEW");
  expect(task?.verdicts.map(({ reviewer }) => reviewer)).toEqual(["bob"]);
});
