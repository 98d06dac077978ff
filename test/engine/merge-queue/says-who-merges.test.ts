import { expect, it } from "vitest";
import { commentsOn, statusComments } from "../look.ts";
import { approvedWork, checkOf, merging } from "../merge-queue-rig.ts";
import { said, tell } from "../people.ts";

const BY_HAND = "merge #4 on GitHub";
const work = { 1: { "a.ts": "1" }, 2: { "a.ts": "2" } };

/** Two changes of one file; the checks of the first are not done. */
async function twoInQueue(auto: boolean) {
  const rig = await approvedWork({
    settings: auto ? merging(["build"]) : {},
    work,
    before: ({ repository }) => {
      for (const { headSha } of repository.pulls.values())
        repository.checks.set(headSha, [checkOf("build", "pending")]);
    },
  });
  for (const issue of [1, 2])
    await tell(rig, said(rig, issue, "/flotilla status"), said(rig, issue, "/flotilla why"));
  return rig;
}

it("says that Flotilla merges approved work, and behind which", async () => {
  const rig = await twoInQueue(true);
  const first = [statusComments(rig, 1).at(-1), commentsOn(rig, 1).at(-1)].join(" ");
  const second = [statusComments(rig, 2).at(-1), commentsOn(rig, 2).at(-1)];
  expect(first).toContain("nothing: Flotilla merges #4 when its turn in the merge queue comes;");
  expect(first).not.toContain(BY_HAND);
  for (const text of second) expect(text).toContain("when its turn in the merge queue comes, behind #1;");
});

it("asks a person to merge it where Flotilla does not", async () => {
  const rig = await twoInQueue(false);
  expect(statusComments(rig, 1).at(-1)).toContain(BY_HAND);
});
