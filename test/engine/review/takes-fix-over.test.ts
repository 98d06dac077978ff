import { expect, it } from "vitest";
import { agentOf, statusComments, taskOf } from "../look.ts";
import { branchOf, statesOf } from "../merge-queue-rig.ts";
import { issueOf, pullClosed, said, tell } from "../people.ts";
import type { Rig } from "../rig.ts";
import { commit, complete, edit, on, onAttempt, type Step } from "../scripts.ts";
import { coderMends } from "../stuck-work.ts";

const fixes: readonly Step[] = [edit("list.txt", "mine and theirs\n"), commit, complete];

const firstTold = (rig: Rig): string =>
  rig.runtime.requests.at(-1)?.find(({ role }) => role === "user")?.content ?? "";

it("stays as it failed when its coder is cancelled, and says how a coder takes it over", async () => {
  const rig = await coderMends();
  await tell(rig, said(rig, 1, "/flotilla cancel"));
  const reason = expect.stringContaining("#4 conflicts with `main`");
  expect(await taskOf(rig)).toMatchObject({ state: "INTEGRATION_FAILED", integrationReason: reason });
  expect(rig.repository.pulls.get(4)?.state).toBe("open");
  expect(statusComments(rig)[0]).toContain("no agent is fixing this: `/flotilla start [role]`");
  expect(issueOf(rig, 1).labels).toContain("needs-human");
  const waiting = await rig.store.lists.waiting(null, { after: null, limit: 10 });
  expect(waiting).toMatchObject([{ row: { task: { issue: 1, state: "INTEGRATION_FAILED" }, pull: 4 } }]);
});

it.each([
  ["/flotilla start bug-fix", "bug-fix-issue-1", on(1, ...fixes)],
  ["/flotilla start", "feat-dev-issue-1.3", onAttempt(1, 3, ...fixes)],
  ["/flotilla retry", "feat-dev-issue-1.3", onAttempt(1, 3, ...fixes)],
])(
  "is fixed after `%s` on the same branch and pull request by one that sees what failed",
  async (words, name, does) => {
    const script =
      name === "bug-fix-issue-1" ? { ...does, match: "Work on issue #1 of.*You take over" } : does;
    const rig = await coderMends([script]);
    await tell(rig, said(rig, 1, "/flotilla cancel"));
    await tell(rig, said(rig, 1, words));
    expect(await statesOf(rig, 1)).toEqual(["READY_FOR_REVIEW"]);
    expect(await agentOf(rig, name)).toMatchObject({ branch: branchOf(1), prNumber: 4 });
    expect(firstTold(rig)).toContain(
      "You take over approved work whose merge failed: #4 conflicts with `main`",
    );
    expect(firstTold(rig)).toContain("Resolve the conflict markers in list.txt");
    expect(rig.repository.pulls.size).toBe(1);
    expect(await taskOf(rig)).toMatchObject({ integrationFix: true, reviewCyclesCurrent: 0 });
  },
);

it("is given up with its pull request: then a coder begins afresh", async () => {
  const rig = await coderMends();
  await tell(rig, pullClosed(rig, 4, { merged: false }));
  expect(await statesOf(rig, 1)).toEqual(["UNCLAIMED"]);
  const idle = await coderMends();
  await tell(idle, said(idle, 1, "/flotilla cancel"));
  await tell(idle, pullClosed(idle, 4, { merged: false }));
  expect(await statesOf(idle, 1)).toEqual(["UNCLAIMED"]);
});
