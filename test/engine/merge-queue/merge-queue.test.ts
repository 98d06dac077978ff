import { describe, expect, it } from "vitest";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { MINUTE } from "../../factories/moment.ts";
import {
  agentOf,
  answersTo,
  commentsOn,
  decisionsOn,
  stateOf,
  statusComments,
  taskOf,
  toldTo,
} from "../look.ts";
import {
  approvedWork,
  approves,
  branchOf,
  checkOf,
  diesAfter,
  merging,
  rounds,
  statesOf,
} from "../merge-queue-rig.ts";
import { methodOf } from "../method-of.ts";
import { pullClosed } from "../people.ts";
import { REPOSITORY, type Rig } from "../rig.ts";
import { commit, complete, edit, onAttempt, type Step } from "../scripts.ts";

const SAME_FILE = { 1: { "list.txt": "one\n" }, 2: { "list.txt": "two\n" } };

const mergedPulls = (rig: Rig) => rig.github.writes.filter((write) => write.startsWith("mergePull"));
const reasonsOn = async (rig: Rig, issue = 1) =>
  (await rig.store.decisions.ofIssue(REPOSITORY.id, issue, 10)).map(({ reason }) => reason);

/** What the one coder of issue 2 does when its work could not be merged: it settles the conflict. */
const fixes = (...steps: readonly Step[]) =>
  onAttempt(2, 2, ...(steps.length > 0 ? steps : [edit("list.txt", "one\ntwo\n")]), commit, complete);

const red = (rig: Rig, ...commits: readonly (string | null)[]) => {
  for (const one of commits) rig.repository.checks.set(one ?? "", [checkOf("build", "red")]);
};

/** The base moves, and nothing reports any check from now on. */
const moved = (rig: Rig) => {
  rig.worktrees.serverCommit("main", { "other.txt": "moved\n" });
  rig.onCall = () => {};
};

describe("approved work", () => {
  it("is merged with the approved head as a condition, and its task and coder are done", async () => {
    const rig = await approvedWork({ settings: merging() });
    expect(await taskOf(rig)).toMatchObject({
      state: "MERGED",
      mergeCommit: rig.worktrees.serverHead("main"),
    });
    expect(mergedPulls(rig)).toEqual(["mergePull 4"]);
    expect(await stateOf(rig)).toBe("COMPLETED");
    const moves = await rig.store.transitions.ofIssue(REPOSITORY.id, 1, 100);
    expect(moves.findLast(({ event }) => event === "MERGE")).toMatchObject({ actor: "flotilla" });
  });

  it("is not merged where people merge: they are asked once for each commit, with what is known", async () => {
    const rig = await approvedWork();
    await rounds(rig);
    await rig.pass(10 * MINUTE);
    expect((await taskOf(rig))?.state).toBe("APPROVED");
    expect(mergedPulls(rig)).toEqual([]);
    expect(await decisionsOn(rig)).toEqual(["merge_asked"]);
    expect((await reasonsOn(rig))[0]).toMatch(
      /^#4 is approved by alice at [0-9a-f]{7}; no check is required; it contains all of `main`$/,
    );
    expect(statusComments(rig)[0]).toContain("a person with write permission merges #4");
  });

  it("has the base merged into it without a model where checks are required, and keeps its approval", async () => {
    const rig = await approvedWork({
      settings: merging(["build"]),
      before: (one) => void one.worktrees.serverCommit("main", { "other.txt": "moved\n" }),
    });
    expect(await taskOf(rig)).toMatchObject({ state: "MERGED" });
    const moves = (await rig.store.transitions.ofIssue(REPOSITORY.id, 1, 100)).filter(
      ({ machine }) => machine === "task",
    );
    expect(moves.slice(-3).map(({ event, to }) => `${event} ${to}`)).toEqual([
      "APPROVE APPROVED",
      "NEW_COMMIT APPROVED",
      "MERGE MERGED",
    ]);
    expect(toldTo(rig)).toHaveLength(1);
  });

  it("waits for the checks of the commit that contains the base, and is merged when they are green", async () => {
    const rig = await approvedWork({
      settings: merging(["build"]),
      before: (one) => {
        one.worktrees.serverCommit("main", { "other.txt": "moved\n" });
        one.onCall = () => {};
      },
    });
    const head = rig.worktrees.serverHead(branchOf(1)) ?? "";
    expect(await taskOf(rig)).toMatchObject({ state: "APPROVED", reviewCommit: head });
    expect((await reasonsOn(rig))[0]).toBe(`waits for build on ${head.slice(0, 7)}`);
    rig.repository.checks.set(head, [checkOf("build", "green")]);
    await rig.pass(5 * MINUTE);
    await rounds(rig);
    expect(await statesOf(rig, 1)).toEqual(["MERGED"]);
  });

  it("whose required check is red on the result goes back to its coder, unless the base is red as well", async () => {
    const own = await approvedWork({ settings: merging(["build"]), before: moved });
    red(own, own.worktrees.serverHead(branchOf(1)));
    await own.pass(5 * MINUTE);
    await rounds(own);
    expect(await taskOf(own)).toMatchObject({ integrationReason: expect.stringContaining("build failed") });
    const both = await approvedWork({ settings: merging(["build"]), before: moved });
    red(both, both.worktrees.serverHead(branchOf(1)), both.worktrees.serverHead("main"), "main");
    await both.pass(5 * MINUTE);
    await rounds(both);
    expect(await statesOf(both, 1)).toEqual(["APPROVED"]);
    expect(await reasonsOn(both)).toContain("build fails on `main` as well");
  });

  it.each([
    ["a draft", { pull: { draft: true } }, "#4 is a draft"],
    ["another base", { pull: { baseRef: "release" } }, "#4 goes to `release`"],
    ["reviews", { demands: { approvals: 2 } }, "`main` demands 2 approving reviews on GitHub, #4 has 0"],
    ["other rules", { state: "blocked" }, "GitHub says that the rules of `main` are not met by #4"],
  ])("waits where %s stands against it, says so, and lets others go first", async (_, given, why) => {
    const rig = await approvedWork({
      settings: merging(),
      work: { 1: { "one.txt": "one\n" }, 2: { "two.txt": "two\n" } },
      before: ({ repository }) => {
        const { pull, demands, state } = { pull: {}, demands: {}, state: undefined, ...given };
        Object.assign(repository.pulls.get(4) ?? {}, pull);
        repository.mergeDemands = demands;
        if (state !== undefined) repository.mergeStates.set(4, state);
      },
    });
    expect((await reasonsOn(rig))[0]).toBe(why);
    expect(await statesOf(rig, 1)).toEqual(["APPROVED"]);
    expect(await statesOf(rig, 2)).toEqual([Object.keys(given)[0] === "demands" ? "APPROVED" : "MERGED"]);
  });

  it("that GitHub refuses to merge stays, with GitHub's words", async () => {
    const rig = await approvedWork({
      settings: merging(),
      before: ({ repository }) => void repository.mergeStates.set(4, "dirty"),
    });
    expect(await statesOf(rig, 1)).toEqual(["APPROVED"]);
    expect((await reasonsOn(rig))[0]).toBe("GitHub did not merge #4: Pull Request is not mergeable");
  });

  it("is merged without a complaint when the webhook comes before the answer to the merge", async () => {
    const rig = await approvedWork({
      settings: merging(),
      before: (one) => {
        const merge = methodOf(one.github, "mergePull");
        one.github.mergePull = async (...args) => {
          const answer = await merge(...args);
          await one.engine.handle(pullClosed(one, 4, { merged: true, by: "flotilla[bot]" }));
          return answer;
        };
      },
    });
    expect(await statesOf(rig, 1)).toEqual(["MERGED"]);
    expect(await decisionsOn(rig)).not.toContain("no_such_transition");
  });

  it("is merged once when the answer to the merge is lost", async () => {
    const lost = new GitHubError("unavailable", "no answer", 0, { consequence: "retry", uncertain: true });
    const rig = await approvedWork({
      settings: merging(),
      before: ({ github }) => github.failNext("mergePull", lost, "after"),
    });
    await rig.pass(MINUTE);
    expect(await statesOf(rig, 1)).toEqual(["MERGED"]);
    expect(mergedPulls(rig)).toHaveLength(1);
  });

  it.each(["update_branch", "merge_pull", "look_at_train"])(
    "is merged once when the process dies after %s",
    async (kind) => {
      const rig = await approvedWork({
        settings: merging(["build"]),
        before: (one) => {
          one.worktrees.serverCommit("main", { "other.txt": "moved\n" });
          diesAfter(one, kind);
        },
      });
      await rounds(rig, 8);
      expect(await statesOf(rig, 1)).toEqual(["MERGED"]);
      expect(mergedPulls(rig)).toHaveLength(1);
      expect(await taskOf(rig)).toMatchObject({ mergeCommit: rig.worktrees.serverHead("main") });
    },
  );

  it("with commits that nobody approved is not merged", async () => {
    const rig = await approvedWork({
      settings: merging(),
      before: (one) => {
        const head = one.worktrees.serverCommit(branchOf(1), { "more.ts": "more\n" });
        Object.assign(one.repository.pulls.get(4) ?? {}, { headSha: head });
      },
    });
    expect(await statesOf(rig, 1)).toEqual(["APPROVED"]);
    expect((await reasonsOn(rig))[0]).toBe("#4 has commits that nobody approved");
  });
});

describe("the merge queue", () => {
  it("lets the second wait behind the first that changes the same file, and sends its conflict to its one coder", async () => {
    const rig = await approvedWork({ settings: merging(), work: SAME_FILE, script: [fixes()] });
    expect(await statesOf(rig, 1, 2)).toEqual(["MERGED", "READY_FOR_REVIEW"]);
    expect(await agentOf(rig, "feat-dev-issue-2.2")).toMatchObject({ state: "COMPLETED", prNumber: 5 });
    expect(toldTo(rig, 2)[0]).toContain("Resolve the conflict markers in list.txt");
    await approves(rig, 2);
    await rounds(rig);
    expect(await statesOf(rig, 2)).toEqual(["MERGED"]);
    expect(rig.worktrees.read("feat-dev-issue-2.2", "list.txt")).toBe(null);
  });

  it("lets the others wait while the checks of the one in front run, each with its reason", async () => {
    const rig = await approvedWork({
      settings: merging(["build"]),
      work: { ...SAME_FILE, 3: { "three.txt": "three\n" } },
      before: (one) => {
        one.worktrees.serverCommit("main", { "other.txt": "moved\n" });
        one.onCall = () => {};
      },
    });
    expect(await statesOf(rig, 1, 2, 3)).toEqual(["APPROVED", "APPROVED", "APPROVED"]);
    expect((await reasonsOn(rig, 2))[0]).toBe(
      "it waits for #1, which changes the same files and is ahead of it in the merge queue",
    );
    expect((await reasonsOn(rig, 3))[0]).toBe("#1 is first in the merge queue, and its checks are running");
  });

  it("does not take a merge in which conflict markers are left", async () => {
    const rig = await approvedWork({
      settings: merging(),
      work: SAME_FILE,
      script: [fixes(commit, edit("list.txt", "one\ntwo\n"))],
    });
    expect(answersTo(rig, 2)[0]).toContain("Nothing was committed: conflict markers are left in list.txt");
    expect(await statesOf(rig, 2)).toEqual(["READY_FOR_REVIEW"]);
  });

  it("tells the place of each in its status comment", async () => {
    const rig = await approvedWork({
      settings: merging(),
      work: SAME_FILE,
      before: ({ repository }) => void (repository.mergeDemands = { queue: true }),
    });
    expect(statusComments(rig, 1)[0]).toContain("; place 1 of 2 in the merge queue");
    expect(statusComments(rig, 2)[0]).toContain("; place 2 of 2 in the merge queue");
    expect(commentsOn(rig, 2)).toEqual([]);
  });
});
