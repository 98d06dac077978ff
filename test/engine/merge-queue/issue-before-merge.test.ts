import { expect, it } from "vitest";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { MINUTE } from "../../factories/moment.ts";
import { takeIn } from "../inbox-of.ts";
import { statusComments, taskOf } from "../look.ts";
import { merging, rounds } from "../merge-queue-rig.ts";
import { assigned, closed, gone, labeled, locked, reviewed, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { commit, edit, on, openPr, review } from "../scripts.ts";
import { pullOf } from "../together/work-under-way.ts";

const isMerged = (rig: Rig) => rig.repository.pulls.get(pullOf(rig))?.merged;

/** Approved by bob; the merge queue has not read it yet. */
async function approvedByBob(): Promise<Rig> {
  const rig = await aRig({ settings: merging(), script: [on(1, edit(), commit, openPr, review)] });
  await tell(rig, labeled(rig, 1));
  await tell(rig, reviewed(rig, pullOf(rig), "approved", { by: "bob" }));
  expect((await taskOf(rig))?.state).toBe("APPROVED");
  return rig;
}

/** What happens on GitHub, whose webhook is lost; what people read then, and what the look at the issue finds. */
const HAPPENS: readonly (readonly [string, (rig: Rig) => unknown, string, string])[] = [
  ["is locked", (rig) => locked(rig, 1, true), "#1 is locked", "issues.locked"],
  ["is closed", (rig) => closed(rig, 1), "#1 is closed", "issues.closed"],
  [
    "is assigned to a person",
    (rig) => assigned(rig, 1, "carol"),
    "#1 is assigned to `@carol`",
    "issues.assigned",
  ],
];

it.each(HAPPENS)(
  "work whose issue %s is not merged although the webhook is lost",
  async (_, happens, why, told) => {
    const rig = await approvedByBob();
    happens(rig);
    await rounds(rig);
    expect(isMerged(rig)).toBe(false);
    expect(statusComments(rig).at(-1)).toContain(`not merged yet, ${why}`);
    expect(await takeIn(rig)).toContain(told);
    await rounds(rig);
    expect(isMerged(rig)).toBe(false);
  },
);

it.each(HAPPENS)("a merge is not tried again once the issue %s", async (_, happens) => {
  const rig = await approvedByBob();
  const away = new GitHubError("unavailable", "no answer", 0, { consequence: "retry" });
  rig.github.failNext("mergePull", away, "before");
  let tries = 0;
  rig.onCall = (call) => {
    if (call !== "github.mergePull") return;
    tries += 1;
    happens(rig);
  };
  await rounds(rig);
  await rig.pass(10 * MINUTE);
  expect([tries, isMerged(rig)]).toEqual([1, false]);
});

it("work whose issue was transferred or deleted is not merged", async () => {
  const rig = await approvedByBob();
  gone(rig, 1);
  await rounds(rig);
  expect(isMerged(rig)).toBe(false);
});

it("a lock that is known is a hold; the issue is not looked at for it", async () => {
  const rig = await approvedByBob();
  await tell(rig, locked(rig, 1, true));
  await rounds(rig);
  const looks = await rig.store.effects.find({ kind: "look_at_issue" });
  expect(looks.filter(({ key }) => key.startsWith("train:"))).toEqual([]);
  expect(statusComments(rig).at(-1)).toContain("`@alice` locked the issue");
  await tell(rig, locked(rig, 1, false));
  await rounds(rig);
  expect(isMerged(rig)).toBe(true);
});
