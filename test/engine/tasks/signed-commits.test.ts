import { expect, it } from "vitest";
import { someSettings } from "../../factories/some-settings.ts";
import { agentOf, decisionsOn, stateOf, taskOf } from "../look.ts";
import { approvedWork, branchOf, merging } from "../merge-queue-rig.ts";
import { labeled, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { commit, complete, edit, on, openPr } from "../scripts.ts";

const BRANCH = branchOf(1);

/** A rule of the base branch takes only signed commits from now on. */
const signs = (rig: Rig) => void Object.assign(rig.repository.limits, { signatures: true });

const signedOf = (rig: Rig) => [...rig.repository.signed];

async function twoCommits(settings = someSettings()): Promise<Rig> {
  const script = [on(1, edit(), commit, edit("second.ts"), commit, openPr, complete)];
  const rig = await aRig({ settings, script });
  signs(rig);
  return rig;
}

it("GitHub makes the commits where a rule takes only signed ones, and the work names those", async () => {
  const rig = await twoCommits();
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("COMPLETED");
  const [first, second] = signedOf(rig);
  expect(signedOf(rig)).toHaveLength(2);
  expect(second?.[1].parents).toEqual([first?.[0]]);
  expect(rig.worktrees.serverHead(BRANCH)).toBe(second?.[0]);
  expect((await agentOf(rig)).headCommit).toBe(second?.[0]);
  expect((await taskOf(rig))?.reviewCommit).toBe(second?.[0]);
});

it("git pushes where no rule asks for signatures", async () => {
  const script = [on(1, edit(), commit, openPr, complete)];
  const rig = await aRig({ script });
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(signedOf(rig)).toEqual([]);
});

it("GitHub makes the merge of the base into approved work, too", async () => {
  const rig = await approvedWork({
    settings: merging(["build"]),
    before: (one) => {
      signs(one);
      one.worktrees.serverCommit("main", { "other.txt": "moved\n" });
    },
  });
  expect(await taskOf(rig)).toMatchObject({ state: "MERGED" });
  expect(signedOf(rig).map(([, { parents }]) => parents.length)).toEqual([2]);
  expect(rig.worktrees.serverHead(BRANCH)).toBe(signedOf(rig)[0]?.[0]);
});

it("people are told at the start where GitHub will not merge by a rebase", async () => {
  const merge = { auto: true, maxRisk: undefined, method: "rebase" } as const;
  const rig = await twoCommits(someSettings({ merge }));
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(await decisionsOn(rig)).toContain("signed_commits");
});
