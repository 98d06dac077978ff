import { expect, it, vi } from "vitest";
import type { Settings } from "../../../src/domain/settings/settings.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { commentsOn, decisionsOn, statusComments, taskOf } from "../look.ts";
import { branchOf, rounds, upTo } from "../merge-queue-rig.ts";
import { labeled, pushed, reviewed, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { commit, complete, edit, on, openPr, type Step } from "../scripts.ts";
import { pullOf } from "../together/work-under-way.ts";

const shown = (rig: Rig) => statusComments(rig).at(-1) ?? "";
const isMerged = (rig: Rig) => rig.repository.pulls.get(pullOf(rig))?.merged;
const labelsOf = (rig: Rig) => rig.repository.issues.get(1)?.labels ?? [];
const riskOf = async (rig: Rig) => (await taskOf(rig))?.riskAbove?.score ?? null;

/** Work of these edits, which a person has approved. */
async function approved(
  settings: Partial<Settings>,
  edits: readonly Step[],
  options: { readonly files?: Readonly<Record<string, string>>; readonly before?: (rig: Rig) => void } = {},
): Promise<Rig> {
  const { files = {}, before } = options;
  const rig = await aRig({ settings, files, script: [on(1, ...edits, commit, openPr, complete)] });
  await tell(rig, labeled(rig, 1));
  before?.(rig);
  await tell(rig, reviewed(rig, pullOf(rig), "approved", { by: "bob" }));
  await rounds(rig);
  return rig;
}

const TEXT = [edit("guide.md", "A guide.\n")];
const CODE = [edit("feature.ts", "export const a = 1;\n")];

it("merges work up to the limit, and says why no person was needed", async () => {
  const rig = await approved(upTo(15), TEXT);
  expect(isMerged(rig)).toBe(true);
  expect(await decisionsOn(rig)).toContain("merge_risk");
  await tell(rig, said(rig, 1, "/flotilla why"));
  expect(commentsOn(rig).at(-1)).toContain(
    "Flotilla merges #4: its risk is 15 of 100 (no acceptance command has succeeded on it), and up to 15 no person is needed",
  );
});

it("counts the acceptance commands that have succeeded on the commit", async () => {
  const evidence = { ...someSettings().evidence, commands: ["npm test"] };
  expect(isMerged(await approved({ ...upTo(0), evidence }, TEXT))).toBe(true);
  const unproved = await approved(upTo(0), TEXT);
  expect([isMerged(unproved), await riskOf(unproved)]).toEqual([false, 15]);
});

it("leaves work above the limit to a person, with its reasons in the status comment, why, the check and a label", async () => {
  const checks: unknown[] = [];
  const rig = await approved(upTo(30), CODE, {
    before: ({ github }) =>
      void vi.spyOn(github, "putCheck").mockImplementation((_, { title }) => {
        checks.push(title);
        return Promise.resolve({ id: 1 });
      }),
  });
  const why =
    "its risk is 45 of 100 (it changes code, in `feature.ts`; it changes code and no test; no acceptance command has succeeded on it), and above 30 a person merges";
  expect(isMerged(rig)).toBe(false);
  expect(shown(rig).split("\n")[2]).toBe(
    `**Ready to merge: #4 is approved.** Read its diff, and merge it on GitHub if it is right: ${why}.`,
  );
  expect(labelsOf(rig)).toContain("needs-human");
  expect(await decisionsOn(rig)).toContain("merge_asked");
  await tell(rig, said(rig, 1, "/flotilla why"));
  expect(commentsOn(rig).at(-1)).toContain(`merge #4 on GitHub when its diff is right: ${why}`);
  expect(checks).toEqual(["1 of 1 approvals; a person merges (risk 45)"]);
  await rounds(rig);
  const asked = (await decisionsOn(rig)).filter((rule) => rule === "merge_asked");
  expect(asked).toHaveLength(1);
});

it("never merges beyond the level, however low the risk", async () => {
  const rig = await approved({ ...upTo(99), level: "pr" }, TEXT);
  expect([isMerged(rig), await riskOf(rig)]).toEqual([false, null]);
  expect(await decisionsOn(rig)).not.toContain("merge_risk");
});

it("merges everything that is approved where no limit is set", async () => {
  const settings = { ...upTo(0), merge: { auto: true, maxRisk: undefined, method: "squash" as const } };
  const rig = await approved(settings, CODE);
  expect(isMerged(rig)).toBe(true);
  expect(await decisionsOn(rig)).not.toContain("merge_risk");
});

it("reads the risk again when the base changes, and merges once it is low enough", async () => {
  const rig = await approved(upTo(20), TEXT, {
    files: { ".github/CODEOWNERS": "*.md @carol\n" },
  });
  expect([isMerged(rig), await riskOf(rig)]).toEqual([false, 30]);
  rig.worktrees.serverCommit("main", { ".github/CODEOWNERS": "*.md @bob\n" });
  rig.clock.advance(someSettings().reconcileEveryMs);
  await rounds(rig);
  expect(isMerged(rig)).toBe(true);
});

it("asks again when the risk of the same commit changes", async () => {
  const rig = await approved(upTo(10), TEXT);
  expect(await riskOf(rig)).toBe(15);
  rig.worktrees.revertedLately("guide.md");
  rig.worktrees.serverCommit("main", { "other.txt": "moved\n" });
  rig.clock.advance(someSettings().reconcileEveryMs);
  await rounds(rig);
  expect(await riskOf(rig)).toBe(25);
  expect((await decisionsOn(rig)).filter((rule) => rule === "merge_asked")).toHaveLength(2);
});

it("forgets the risk of a commit when another one is pushed", async () => {
  const rig = await approved(upTo(10), TEXT);
  await tell(rig, pushed(rig, branchOf(1), { "guide.md": "Another guide.\n" }));
  await rounds(rig);
  expect(shown(rig)).not.toContain("its risk is");
});

it.each([
  [{}, "src/e2e/pay.ts", 45],
  [{ "src/e2e/pay.e2e.ts": "test('pays');\n" }, "src/e2e/pay-page.ts", 20],
])("takes a file for a test only where tests lay before the work: %j and %s", async (files, path, risk) => {
  const rig = await approved(upTo(10), [edit(path, "export const a = 1;\n")], { files });
  expect([isMerged(rig), await riskOf(rig)]).toEqual([false, risk]);
});
