import { expect, it } from "vitest";
import type { GitHubIssue } from "../../../src/domain/ports/github.ts";
import { commentsOn, decisionsOn, taskOf, toldTo } from "../look.ts";
import { approves, diesAfter, merging, rounds } from "../merge-queue-rig.ts";
import { closed, labeled, said, tell } from "../people.ts";
import { aRig, REPOSITORY, type Rig } from "../rig.ts";
import { commit, complete, edit, escalate, on, openPr, type Step } from "../scripts.ts";

const PORT = 5;
const writes = (issue: number, path: string) => on(issue, edit(path, "fixed\n"), commit, openPr, complete);

/** The work on issue 1 is merged into main, and its issue closed as GitHub does. */
async function mergedWork(port: readonly Step[] = [commit, openPr, complete]): Promise<Rig> {
  const rig = await aRig({
    settings: { ...merging(), bases: ["release-*"] },
    script: [writes(1, "fix.txt"), on(PORT, ...port)],
  });
  rig.worktrees.serverCommit("release-1", { "release.txt": "1\n" });
  rig.repository.branches.add("release-1");
  await tell(rig, labeled(rig, 1));
  await approves(rig, 1);
  await rounds(rig);
  expect((await taskOf(rig))?.state).toBe("MERGED");
  await tell(rig, closed(rig, 1));
  return rig;
}

const portOf = (rig: Rig): GitHubIssue | undefined =>
  [...rig.repository.issues.values()].find(({ title }) => title.includes("backport"));

it("merged work is brought to a release by an issue of its own, whose coder begins with the change", async () => {
  const rig = await mergedWork();
  const mergeCommit = (await rig.store.records.find("task", { issue: 1 })).at(-1)?.mergeCommit;
  await tell(rig, said(rig, 1, "/flotilla backport release-1"));
  await rounds(rig);
  expect(portOf(rig)).toMatchObject({ number: PORT, title: "Feature 1 (backport to release-1)" });
  expect(portOf(rig)?.body).toContain(`The work on #1 was merged into \`main\` by #4 as ${mergeCommit}.`);
  const [task] = await rig.store.records.find("task", { issue: PORT });
  expect(task?.base).toBe("release-1");
  const [onto, merged] = task?.backport?.split("..") ?? [];
  expect(merged).toBe(mergeCommit);
  expect(toldTo(rig, PORT).join("\n")).toContain(`of the merged work, from ${onto} to ${mergeCommit}`);
  const pull = [...rig.repository.pulls.values()].find(({ baseRef }) => baseRef === "release-1");
  expect(pull?.state).toBe("open");
  expect(rig.repository.changedFiles.size).toBe(0);
  const head = await rig.worktrees.compareBranches(REPOSITORY, "release-1", [
    { branch: pull?.headRef ?? "", approved: pull?.headSha ?? "" },
  ]);
  expect(head[0]?.files).toEqual(["fix.txt"]);
  expect(commentsOn(rig).join("\n")).toContain(`#${PORT} brings this work to \`release-1\`.`);
});

it("a backport begins with the merge commit alone where git cannot say what the pull request was put on", async () => {
  const rig = await mergedWork();
  for (const pull of rig.repository.pulls.values())
    rig.repository.pulls.set(pull.number, { ...pull, headSha: "d".repeat(40) });
  const mergeCommit = (await rig.store.records.find("task", { issue: 1 })).at(-1)?.mergeCommit;
  await tell(rig, said(rig, 1, "/flotilla backport release-1"));
  await rounds(rig);
  expect(await rig.store.records.find("task", { issue: PORT })).toMatchObject([{ backport: mergeCommit }]);
  expect(toldTo(rig, PORT).join("\n")).toContain("that commit is only the last");
  expect(portOf(rig)?.body).toContain("that commit is only the last of them");
});

it("a backport is one, however often it is asked for, and where the host dies in between", async () => {
  const rig = await mergedWork();
  diesAfter(rig, "create_backport");
  await rig.engine.handle(said(rig, 1, "/flotilla backport release-1"));
  await rounds(rig);
  await tell(rig, said(rig, 1, "/flotilla backport release-1"));
  await rounds(rig);
  expect([...rig.repository.issues.values()].filter(({ title }) => title.includes("backport"))).toHaveLength(
    1,
  );
  expect(await rig.store.records.find("task", { issue: PORT })).toHaveLength(1);
});

it("a backport that is asked for again once a person has cancelled it starts nobody, and is told once", async () => {
  const rig = await mergedWork([escalate]);
  await tell(rig, said(rig, 1, "/flotilla backport release-1"));
  await rounds(rig);
  await tell(rig, said(rig, PORT, "/flotilla cancel"));
  const before = await rig.store.records.find("agent", { issue: PORT });
  expect(before.map(({ state }) => state)).toEqual(["CANCELLED"]);
  await tell(rig, said(rig, 1, "/flotilla backport release-1"));
  await rounds(rig);
  expect(await rig.store.records.find("agent", { issue: PORT })).toEqual(before);
  expect(await rig.store.records.find("task", { issue: PORT })).toHaveLength(1);
  expect(commentsOn(rig).filter((body) => body.includes(`#${PORT} brings`))).toHaveLength(1);
});

it("a backport to a branch that does not exist opens nothing and says so", async () => {
  const rig = await mergedWork();
  await tell(rig, said(rig, 1, "/flotilla backport release-9"));
  expect(portOf(rig)).toBeUndefined();
  expect(await decisionsOn(rig)).toContain("base_refused");
});
