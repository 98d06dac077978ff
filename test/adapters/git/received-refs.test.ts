import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { AUTHOR, FRESH } from "../../contracts/worktrees-harness.ts";
import { proved } from "../../proved.ts";
import { plainGit } from "./plain-git.ts";
import { realHarness } from "./real-harness.ts";
import { strangeUpdates } from "./strange-updates.ts";

const OTHERS = ["a:refs/heads/main", "+main", "main:main", "x\nrefs/heads/main", "*", "../tags/v1"];

it("sends the server an agent's own branch and its checkpoint alone, whatever the agent made or named", {
  timeout: 60_000,
}, async () => {
  const harness = await realHarness();
  onTestFinished(() => harness.close());
  const { repository, server, worktrees } = harness;
  const ref = { repository, name: "dev-issue-1", branch: "flotilla/dev/issue-1" };
  const { path } = await worktrees.prepare(ref, FRESH);
  const main = await harness.serverHead("main");
  const before = await server.git(harness.fullName, "for-each-ref", "--format=%(refname)");

  // What makes a push of git's own take more along.
  for (const [key, value] of [
    ["push.default", "matching"],
    ["push.followTags", "true"],
    ["remote.origin.url", `${server.url}/octo/app.git`],
    ["remote.origin.mirror", "true"],
    ["remote.origin.push", "+HEAD:refs/heads/main"],
    [`url.${server.url}/octo/app.git.pushInsteadOf`, server.url],
  ] as const)
    await plainGit(path, ["config", key, value]);
  await plainGit(path, ["checkout", "--quiet", "-b", "main"]);
  await writeFile(join(path, "work.txt"), "work\n");
  await plainGit(path, ["add", "work.txt"]);
  await plainGit(path, ["commit", "--quiet", "-m", "on main"]);
  await plainGit(path, ["tag", "-a", "-m", "x", "v1"]);

  await writeFile(join(path, "work.txt"), "more\n");
  await worktrees.checkpoint(ref);
  await worktrees.commit(ref, { message: "work", author: AUTHOR });
  await plainGit(path, ["tag", "-f", "-a", "-m", "x", "v1"]);
  const { commit } = await worktrees.push(ref);
  await harness.serverCommit("main", { "later.txt": "later\n" });
  const how = { branch: ref.branch, base: "main", expected: commit, author: AUTHOR };
  await worktrees.updateBranch(repository, how);
  for (const branch of OTHERS) {
    await expect(worktrees.push({ ...ref, branch })).rejects.toMatchObject({ code: "bad_name" });
    await expect(worktrees.updateBranch(repository, { ...how, branch })).rejects.toMatchObject({
      code: "bad_name",
    });
    await expect(worktrees.checkpoint({ ...ref, name: branch })).rejects.toMatchObject({ code: "bad_name" });
  }
  // Somebody else's commit on the branch stays.
  const theirs = await harness.serverCommit(ref.branch, { "theirs.txt": "theirs\n" });
  await writeFile(join(path, "work.txt"), "most\n");
  await worktrees.commit(ref, { message: "work", author: AUTHOR });
  await expect(worktrees.push(ref)).rejects.toMatchObject({ code: "foreign_commits" });
  expect(await harness.serverHead(ref.branch)).toBe(theirs);
  await worktrees.remove(ref, { base: "main" });
  await worktrees.forget(ref);

  const received = await server.received();
  const strange = await strangeUpdates(server, harness.fullName);
  expect(strange).toEqual([]);
  expect([...new Set(received.map((update) => update.ref))].toSorted()).toEqual([
    "refs/flotilla/checkpoints/dev-issue-1",
    "refs/heads/flotilla/dev/issue-1",
  ]);
  const after = await server.git(harness.fullName, "for-each-ref", "--format=%(refname)");
  expect(after.split("\n")).toEqual(["refs/heads/flotilla/dev/issue-1", ...before.split("\n")]);
  expect(await server.git(harness.fullName, "rev-parse", "main~")).toBe(main);
  proved({
    promise: "Only an agent's own branch and its checkpoint are ever pushed, never by force over others",
    test: "test/adapters/git/received-refs.test.ts",
    figure: `${received.length} updates received, ${OTHERS.length * 3} foreign names refused: ${strange.length} of another ref`,
  });
});
