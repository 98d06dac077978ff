import { expect, it } from "vitest";
import { taskOf } from "../look.ts";
import { approvedWork, approves, merging, rounds, statesOf } from "../merge-queue-rig.ts";
import { REPOSITORY, type Rig } from "../rig.ts";
import { commit, complete, edit, onAttempt } from "../scripts.ts";

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
const lines = (last: number) => upTo(last).join("\n");

/** A person reads what was fixed and approves it, one after the other. */
async function approvesMended(rig: Rig, issues: readonly number[]): Promise<void> {
  for (const issue of issues) {
    if ((await taskOf(rig, issue))?.state !== "READY_FOR_REVIEW") continue;
    await approves(rig, issue);
    await rounds(rig, 4);
  }
}

it.each([3, 10])(
  "%i coders whose pull requests all overlap fix each conflict once, in the order of their approval",
  async (count) => {
    const issues = upTo(count);
    const rig = await approvedWork({
      settings: merging(),
      work: Object.fromEntries(issues.map((issue) => [issue, { "list.txt": `${issue}` }])),
      // Each finds the work of all that are older in the base.
      script: issues.map((issue) => onAttempt(issue, 2, edit("list.txt", lines(issue)), commit, complete)),
    });
    for (const issue of issues) {
      if (issue === 2) rig.worktrees.serverCommit("main", { "person.txt": "by hand\n" });
      await approvesMended(rig, issues);
    }
    expect(new Set(await statesOf(rig, ...issues))).toEqual(new Set(["MERGED"]));
    const fixed = await Promise.all(
      issues.map(async (issue) => {
        const moves = await rig.store.transitions.ofIssue(REPOSITORY.id, issue, 200);
        return moves.filter(({ event }) => event === "CLAIM_FIX").length;
      }),
    );
    expect(fixed).toEqual(issues.map((issue) => (issue === 1 ? 0 : 1)));
    const main = { repository: REPOSITORY, name: "main-itself", branch: null };
    await rig.worktrees.prepare(main, { base: null, reusePushed: false });
    expect(rig.worktrees.read("main-itself", "list.txt")).toBe(lines(count));
    expect(rig.worktrees.read("main-itself", "person.txt")).toBe("by hand\n");
  },
);
