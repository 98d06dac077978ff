import { describe, expect, it } from "vitest";
import { positionInQueue } from "../../../src/engine/merge-queue/entries.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { agentOf, decisionsOn, stateOf, statusComments, taskOf, toldTo } from "../look.ts";
import { approves, branchOf, checkOf, diesAfter, merging, rounds, statesOf } from "../merge-queue-rig.ts";
import { methodOf } from "../method-of.ts";
import { labeled, pullClosed, said, tell } from "../people.ts";
import { aRig, REPOSITORY, type Rig, type RigOptions } from "../rig.ts";
import { commit, complete, edit, on, openPr, work } from "../scripts.ts";

const LABEL = "base:release-1";
const bases = [{ label: LABEL, branch: "release-1" }, "stable", "gone-*"];

/** A repository with the branch release-1, which begins beside main and has a file that main lacks. */
async function releaseRig({ settings = {}, ...options }: RigOptions = {}): Promise<Rig> {
  const rig = await aRig({ script: [on(1, ...work)], settings: { bases, ...settings }, ...options });
  for (const branch of ["release-1", "stable"]) {
    rig.worktrees.serverCommit(branch, { "release.txt": "1\n" });
    rig.repository.branches.add(branch);
  }
  return rig;
}

const labelledFor = (rig: Rig, issue: number) => {
  Object.assign(rig.repository.issues.get(issue) ?? {}, { labels: [LABEL] });
  return labeled(rig, issue);
};

const writes = (issue: number) => on(issue, edit("list.txt", `${issue}\n`), commit, openPr, complete);

function labelledAnew(rig: Rig, labels: readonly string[]) {
  Object.assign(rig.repository.issues.get(1) ?? {}, { labels: [...labels, LABEL] });
  return labeled(rig, 1);
}

async function placesOf(rig: Rig, ...issues: readonly number[]) {
  const tasks = (await rig.store.records.find("task", {})).filter(({ issue }) => issues.includes(issue));
  return Promise.all(tasks.map((task) => positionInQueue(rig.store, task)));
}

describe("work for another base branch", () => {
  it("begins there, goes there, is proved against it, and people and the agent are told", async () => {
    const rig = await releaseRig();
    await tell(rig, labelledFor(rig, 1));
    expect(await stateOf(rig)).toBe("COMPLETED");
    expect((await agentOf(rig)).baseCommit).toBe(rig.worktrees.serverHead("release-1"));
    expect([...rig.repository.pulls.values()].map(({ baseRef }) => baseRef)).toEqual(["release-1"]);
    expect((await taskOf(rig))?.base).toBe("release-1");
    expect(toldTo(rig).join("\n")).toContain("Your work goes to `release-1`");
    const [pull] = rig.repository.pulls.values();
    expect(pull?.body).toContain("- Goes to `release-1`: Flotilla closes #1 once this is merged");
    expect(statusComments(rig).join("\n")).toMatch(/Task: \*\*\w+\*\*; goes to `release-1`;/);
  });

  it("waits for the checks of that branch, and not for those of the default branch", async () => {
    const rig = await releaseRig();
    rig.repository.requiredChecks = ["build"];
    await tell(rig, labelledFor(rig, 1));
    expect(await stateOf(rig)).toBe("COMPLETED");
    const other = await releaseRig();
    other.repository.requiredChecks = ["build"];
    await tell(other, labeled(other, 1));
    expect(await stateOf(other)).toBe("SLEEPING");
  });

  it("compares a failed check with that branch", async () => {
    const evidence = { ...someSettings().evidence, requiredChecks: ["build"] };
    const rig = await releaseRig({ settings: { evidence } });
    rig.onCall = (call) => {
      if (call !== "github.checks") return;
      for (const { headSha } of rig.repository.pulls.values())
        rig.repository.checks.set(headSha, [checkOf("build", "red")]);
    };
    rig.repository.checks.set("release-1", [checkOf("build", "red")]);
    await tell(rig, labelledFor(rig, 1));
    const decisions = await rig.store.decisions.ofIssue(REPOSITORY.id, 1, 10);
    expect(decisions.map(({ reason }) => reason).join("\n")).toContain("as on the head of release-1");
  });

  it("has its issue closed by us once a person merged it, and that of the default branch is left to GitHub", async () => {
    const rig = await releaseRig({ script: [on(1, ...work), on(2, ...work)] });
    diesAfter(rig, "close_issue");
    await tell(rig, labelledFor(rig, 1));
    await tell(rig, labeled(rig, 2));
    const [first = 0, second = 0] = rig.repository.pulls.keys();
    await rig.engine.handle(pullClosed(rig, first, { merged: true }));
    await rounds(rig);
    await tell(rig, pullClosed(rig, second, { merged: true }));
    expect(rig.github.writes.filter((write) => write.startsWith("closeIssue"))).toEqual(["closeIssue 1"]);
    expect(rig.repository.issues.get(1)).toMatchObject({ state: "closed", stateReason: "completed" });
    expect(rig.repository.issues.get(2)?.state).toBe("open");
    expect(statusComments(rig).join("\n")).toContain("was merged into `release-1` by `@alice`");
  });

  it("whose issue somebody has closed already is left as it is", async () => {
    const rig = await releaseRig();
    await tell(rig, labelledFor(rig, 1));
    const [pull = 0] = rig.repository.pulls.keys();
    Object.assign(rig.repository.issues.get(1) ?? {}, { state: "closed" });
    await tell(rig, pullClosed(rig, pull, { merged: true }));
    expect(rig.github.writes.filter((write) => write.startsWith("closeIssue"))).toEqual([]);
  });
});

describe("a start on a branch", () => {
  it("that does not exist is refused in one sentence, and nothing is made", async () => {
    const rig = await releaseRig();
    await tell(rig, said(rig, 1, "/flotilla start feat-dev on gone-1"));
    expect(await rig.store.records.find("agent", {})).toEqual([]);
    expect(await taskOf(rig)).toBeUndefined();
    expect(await decisionsOn(rig)).toEqual(["base_refused"]);
    const [decision] = await rig.store.decisions.ofIssue(REPOSITORY.id, 1, 10);
    expect(decision?.reason).toBe("acme/shop has no branch `gone-1`");
  });

  it("by a command works there, and a retry stays there", async () => {
    const rig = await releaseRig({ script: [] });
    await tell(rig, said(rig, 1, "/flotilla start feat-dev on stable"));
    await tell(rig, said(rig, 1, "/flotilla cancel"));
    await tell(rig, said(rig, 1, "/flotilla retry"));
    const tasks = await rig.store.records.find("task", { issue: 1 });
    expect(tasks.map(({ base }) => base)).toEqual(tasks.map(() => "stable"));
    const agents = await rig.store.records.find("agent", { issue: 1 });
    expect(agents.map(({ baseCommit }) => baseCommit)).toEqual(
      [1, 2].map(() => rig.worktrees.serverHead("stable")),
    );
  });
});

it.each([[["draft"]], [[]]])(
  "work that was cancelled begins again on another branch (labels: %s)",
  async (labels) => {
    const rig = await releaseRig({ script: [] });
    Object.assign(rig.repository.issues.get(1) ?? {}, { labels });
    await tell(rig, said(rig, 1, "/flotilla start feat-dev"));
    await tell(rig, said(rig, 1, "/flotilla cancel"));
    await tell(rig, labelledAnew(rig, labels));
    const [task, ...others] = await rig.store.records.find("task", { issue: 1 });
    expect([task?.base, others]).toEqual(["release-1", []]);
  },
);

describe("the merge queue", () => {
  it("of each base branch is its own: work on the same file waits only for work of the same branch", async () => {
    const rig = await releaseRig({ settings: merging(), script: [writes(1), writes(2)] });
    await tell(rig, labeled(rig, 1));
    await tell(rig, labelledFor(rig, 2));
    const compared: string[] = [];
    const compareBranches = methodOf(rig.worktrees, "compareBranches");
    rig.worktrees.compareBranches = (repository, base, candidates) => {
      compared.push(...candidates.map(({ branch }) => `${branch} ${base}`));
      return compareBranches(repository, base, candidates);
    };
    await approves(rig, 1);
    await approves(rig, 2);
    await rounds(rig);
    expect((await taskOf(rig, 1))?.state).toBe("MERGED");
    expect((await taskOf(rig, 2))?.state).toBe("MERGED");
    expect([...new Set(compared)].toSorted()).toEqual([`${branchOf(1)} main`, `${branchOf(2)} release-1`]);
    expect(rig.github.writes.filter((write) => write.startsWith("closeIssue"))).toEqual(["closeIssue 2"]);
  });

  it("does not hold up a branch while work of another waits for its checks, and counts places for each", async () => {
    const rig = await releaseRig({
      settings: merging(["build"]),
      script: [1, 2, 3].map((issue) => on(issue, edit(`${issue}.txt`, "x\n"), commit, openPr, complete)),
    });
    for (const one of [labeled(rig, 1), labelledFor(rig, 2), labeled(rig, 3)]) await tell(rig, one);
    for (const { headSha } of rig.repository.pulls.values())
      rig.repository.checks.set(headSha, [checkOf("build", "green")]);
    await rounds(rig);
    // The default branch moves: its work waits for the checks of a new commit.
    rig.worktrees.serverCommit("main", { "other.txt": "moved\n" });
    for (const issue of [1, 2, 3]) {
      rig.clock.advance(1000);
      await approves(rig, issue);
    }
    expect(await placesOf(rig, 1, 2, 3)).toEqual([
      { place: 1, of: 2, ahead: null },
      { place: 1, of: 1, ahead: null },
      { place: 2, of: 2, ahead: 1 },
    ]);
    await rounds(rig);
    expect(await statesOf(rig, 1, 2, 3)).toEqual(["APPROVED", "MERGED", "APPROVED"]);
  });
});
