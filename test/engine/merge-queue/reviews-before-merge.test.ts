import { expect, it } from "vitest";
import type { Account } from "../../../src/domain/events/account.ts";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { addReview, BOT, dismissReview } from "../../fakes/github-world.ts";
import { takeIn } from "../inbox-of.ts";
import { statusComments, taskOf } from "../look.ts";
import { branchOf, merging, rounds } from "../merge-queue-rig.ts";
import { dismissed, labeled, reviewed, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { commit, edit, on, openPr, review } from "../scripts.ts";
import { pullOf } from "../together/work-under-way.ts";

const APP: Account = { id: 9001, login: "scanner[bot]", type: "Bot" };
const stateOfTask = async (rig: Rig) => (await taskOf(rig))?.state;
const isMerged = (rig: Rig) => rig.repository.pulls.get(pullOf(rig))?.merged;

/** Approved by bob; the merge queue has not read it yet. */
async function approvedByBob(auto = true): Promise<Rig> {
  const settings = auto ? merging() : {};
  const rig = await aRig({ settings, script: [on(1, edit(), commit, openPr, review)] });
  await tell(rig, labeled(rig, 1));
  await tell(rig, reviewed(rig, pullOf(rig), "approved", { by: "bob" }));
  expect(await stateOfTask(rig)).toBe("APPROVED");
  return rig;
}

function asks(rig: Rig, by: Account): void {
  const head = rig.worktrees.serverHead(branchOf(1)) ?? null;
  addReview(rig.repository, pullOf(rig), { by, verdict: "changes_requested", commit: head, body: "No." });
}

it("merge nothing whose approval was dismissed, although the webhook of that is late", async () => {
  const rig = await approvedByBob();
  const late = dismissed(rig, pullOf(rig), "bob");
  await rounds(rig);
  expect(isMerged(rig)).toBe(false);
  expect(statusComments(rig).at(-1)).toContain("the approval of #4 by `@bob` was dismissed on GitHub");
  expect(await takeIn(rig)).toEqual(["pull_request_review.dismissed"]);
  expect(await taskOf(rig)).toMatchObject({ state: "READY_FOR_REVIEW", verdicts: [] });
  await tell(rig, late);
  expect(await stateOfTask(rig)).toBe("READY_FOR_REVIEW");
  await tell(rig, reviewed(rig, pullOf(rig), "approved", { by: "bob" }));
  await rounds(rig);
  expect(isMerged(rig)).toBe(true);
});

it("are found where people merge, too: nobody is asked to merge what is not approved", async () => {
  const rig = await approvedByBob(false);
  dismissed(rig, pullOf(rig), "bob");
  await rounds(rig);
  await takeIn(rig);
  expect(await stateOfTask(rig)).toBe("READY_FOR_REVIEW");
});

it.each<readonly [string, (rig: Rig) => void, string]>([
  [
    "a person requests changes",
    (rig) => asks(rig, { id: 3, login: "alice", type: "User" }),
    "pull_request_review.submitted",
  ],
  [
    "the approval is dismissed",
    (rig) => dismissReview(rig.repository, pullOf(rig), "bob"),
    "pull_request_review.dismissed",
  ],
])("are read before each try of a merge: none is made again once %s", async (_, meanwhile, told) => {
  const rig = await approvedByBob();
  const away = new GitHubError("unavailable", "no answer", 0, { consequence: "retry" });
  rig.github.failNext("mergePull", away, "before");
  let tries = 0;
  rig.onCall = (call) => {
    if (call !== "github.mergePull") return;
    tries += 1;
    meanwhile(rig);
  };
  await rounds(rig);
  await rig.pass(10 * MINUTE);
  expect(tries).toBe(1);
  expect(isMerged(rig)).toBe(false);
  expect(await takeIn(rig)).toEqual([told]);
  expect(await stateOfTask(rig)).not.toBe("APPROVED");
});

it("do not count once their author has lost write access, and say how it continues", async () => {
  const rig = await approvedByBob();
  rig.repository.permissions.set("bob", "read");
  await rounds(rig);
  expect([isMerged(rig), await stateOfTask(rig)]).toEqual([false, "APPROVED"]);
  const said = statusComments(rig).at(-1);
  expect(said).toContain("not merged yet, `@bob` approved #4 and no longer has the permission for that");
  expect(said).toContain("dismiss the approval by `@bob` on GitHub and approve it yourself");
  await tell(rig, dismissed(rig, pullOf(rig), "bob"));
  await tell(rig, reviewed(rig, pullOf(rig), "approved", { by: "alice" }));
  await rounds(rig);
  expect(isMerged(rig)).toBe(true);
});

it.each([
  ["counts while `policy.bots` has it", [APP.id], true],
  ["does not count once `policy.bots` lacks it", [], false],
])("of a bot %s", async (_, bots, merges) => {
  const settings = { ...merging(), policy: { ...someSettings().policy, bots } };
  const rig = await aRig({ settings, script: [on(1, edit(), commit, openPr, review)] });
  await tell(rig, labeled(rig, 1));
  const approval = reviewed(rig, pullOf(rig), "approved", { by: APP.login });
  await tell(rig, { ...approval, actor: APP, permitted: true });
  await rounds(rig);
  expect(isMerged(rig)).toBe(merges);
});

it("of another App hold the merge while it requests changes, and say how it continues", async () => {
  const rig = await approvedByBob();
  asks(rig, APP);
  await rounds(rig);
  expect(isMerged(rig)).toBe(false);
  expect(await stateOfTask(rig)).toBe("APPROVED");
  const said = statusComments(rig).at(-1);
  expect(said).toContain("requested changes of #4 on GitHub");
  expect(said).toContain("dismiss the request for changes by scanner[bot] on GitHub");
  dismissReview(rig.repository, pullOf(rig), APP.login);
  await rig.pass(10 * MINUTE);
  await rounds(rig);
  expect(isMerged(rig)).toBe(true);
});

it("of our own App hold nothing", async () => {
  const rig = await approvedByBob();
  asks(rig, BOT);
  await rounds(rig);
  expect(isMerged(rig)).toBe(true);
});
