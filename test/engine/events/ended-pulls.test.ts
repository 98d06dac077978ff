import { expect, it } from "vitest";
import { decisionsOn, historyOf, taskOf } from "../look.ts";
import { approvedWork, merging } from "../merge-queue-rig.ts";
import { labeled, pullClosed, reviewed, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { commit, edit, on, onAttempt, openPr, review, work } from "../scripts.ts";
import { pullOf } from "../together/work-under-way.ts";

const agents = (rig: Rig) => rig.store.records.find("agent", { issue: 1 });
const answers = (rig: Rig) =>
  (rig.repository.comments.get(1) ?? []).map(({ body }) => body).filter((body) => body.includes("@alice #"));

/** Done by a coder that had completed or slept, and ended by a person. */
async function ended(merged: boolean, coder: readonly Parameters<typeof on>[1][]): Promise<Rig> {
  const rig = await aRig({ script: [onAttempt(1, 2, edit("more.ts"), ...work.slice(1)), on(1, ...coder)] });
  await tell(rig, labeled(rig, 1));
  await tell(rig, pullClosed(rig, pullOf(rig), { merged, by: "bob" }));
  return rig;
}

const CODERS = [
  ["had completed", work],
  ["slept for the review", [edit(), commit, openPr, review]],
] as const;

it.each(CODERS)(
  "changes requested of a merged pull request start nobody whose coder %s",
  async (_, coder) => {
    const rig = await ended(true, coder);
    const before = await historyOf(rig);
    await tell(rig, reviewed(rig, pullOf(rig), "changes_requested"));
    expect(await agents(rig)).toHaveLength(1);
    expect(await historyOf(rig)).toEqual(before);
    expect(await taskOf(rig)).toMatchObject({ state: "MERGED" });
    expect(await decisionsOn(rig)).toContain("pull_over");
    expect(answers(rig)).toHaveLength(1);
    expect(answers(rig)[0]).toContain("#4 is merged, so your request for changes has no effect on it");
    expect(answers(rig)[0]).toContain("open a new issue for what should change, or reopen #1");
  },
);

it("changes requested of work that Flotilla merged start nobody", async () => {
  const rig = await approvedWork({ settings: merging() });
  await tell(rig, reviewed(rig, pullOf(rig), "changes_requested"));
  expect(await agents(rig)).toHaveLength(1);
  expect(answers(rig)[0]).toContain("is merged");
});

it.each(CODERS)(
  "changes requested of a closed pull request start nobody whose coder %s",
  async (_, coder) => {
    const rig = await ended(false, coder);
    await tell(rig, reviewed(rig, pullOf(rig), "changes_requested"));
    expect(await agents(rig)).toHaveLength(1);
    expect(await taskOf(rig)).toMatchObject({ state: "UNCLAIMED" });
    expect(answers(rig)[0]).toContain("was closed without a merge");
    expect(answers(rig)[0]).toContain("`/flotilla start` on #1");
  },
);

it("a person who approves or comments on an ended pull request is not answered", async () => {
  const rig = await ended(true, work);
  await tell(rig, reviewed(rig, pullOf(rig), "approved"), reviewed(rig, pullOf(rig), "commented"));
  expect(answers(rig)).toEqual([]);
  expect((await decisionsOn(rig)).filter((rule) => rule === "pull_over")).toHaveLength(2);
});

it("changes requested of an earlier attempt start nobody beside the coder of the present one", async () => {
  const rig = await ended(false, work);
  await tell(rig, said(rig, 1, "/flotilla start"));
  await tell(rig, reviewed(rig, 4, "changes_requested"));
  expect(await agents(rig)).toHaveLength(2);
  expect(await decisionsOn(rig)).toContain("nothing_to_do");
  expect(answers(rig)).toEqual([]);
});
