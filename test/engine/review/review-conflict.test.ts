import { expect, it } from "vitest";
import { MINUTE } from "../../factories/moment.ts";
import { decisionsOn, taskOf, toldTo } from "../look.ts";
import { rounds, statesOf } from "../merge-queue-rig.ts";
import { checked, labeled, pullClosed, tell } from "../people.ts";
import { aRig } from "../rig.ts";
import { commit, complete, edit, on, onAttempt, openPr } from "../scripts.ts";

const ISSUES = [1, 2, 3];
const writes = (issue: number) => on(issue, edit("list.txt", `${issue}\n`), commit, openPr, complete);
const fixes = (issue: number) =>
  onAttempt(issue, 2, edit("list.txt", `all and ${issue}\n`), commit, complete);

it("sends work that conflicts with its base back, the oldest on the same files first, each once", async () => {
  const rig = await aRig({ issues: 3, script: [...ISSUES.map(fixes), ...ISSUES.map(writes)] });
  for (const issue of ISSUES) await tell(rig, labeled(rig, issue));
  expect(await statesOf(rig, ...ISSUES)).toEqual(Array(3).fill("READY_FOR_REVIEW"));
  const first = (await taskOf(rig, 1))?.reviewCommit;
  rig.worktrees.serverCommit("main", { "list.txt": "theirs\n" });
  let asked = 0;
  rig.onCall = (call) => void (asked += call === "worktrees.compareBranches" ? 1 : 0);
  await tell(rig, checked(rig, {}));
  // A word about checks says nothing of the base.
  expect(asked).toBe(0);
  await rig.pass(5 * MINUTE);
  await rounds(rig);
  expect(asked).toBeGreaterThan(0);
  expect(await statesOf(rig, ...ISSUES)).toEqual(Array(3).fill("READY_FOR_REVIEW"));
  expect((await taskOf(rig, 1))?.reviewCommit).not.toBe(first);
  expect(await taskOf(rig, 1)).toMatchObject({ rejectionReason: "conflict with `main`: #4 in list.txt" });
  expect(await taskOf(rig, 2)).toMatchObject({ rejectionReason: null });
  expect(await decisionsOn(rig, 2)).toContain("conflict_waits");
  expect(await decisionsOn(rig, 3)).toContain("conflict_waits");
  expect(toldTo(rig, 1).join("\n")).toContain("Resolve the conflict markers in list.txt");
  rig.worktrees.serverCommit("main", { "list.txt": "all and 1\n" });
  await tell(rig, pullClosed(rig, 4, { merged: true }));
  await rig.pass(5 * MINUTE);
  await rounds(rig);
  expect(await taskOf(rig, 2)).toMatchObject({ rejectionReason: "conflict with `main`: #5 in list.txt" });
  expect(await taskOf(rig, 3)).toMatchObject({ rejectionReason: null });
});
