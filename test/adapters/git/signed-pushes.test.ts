import { chmod, symlink } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { AUTHOR, FRESH } from "../../contracts/worktrees-harness.ts";
import { plainGit } from "./plain-git.ts";
import { type RealHarness, realHarness } from "./real-harness.ts";
import { serverSigning } from "./signing-server.ts";

const NAME = "dev-issue-1";
const BRANCH = "flotilla/dev/issue-1";

let harness: RealHarness;
const ref = () => ({ repository: harness.repository, name: NAME, branch: BRANCH });
const onServer = (...args: string[]) => harness.server.git(harness.fullName, ...args);
const never = () => Promise.resolve(false);
const logOn = async (branch: string) =>
  (await onServer("log", "--reverse", "--format=%an: %s", `main..${branch}`)).split("\n");
const ourRefs = () => onServer("for-each-ref", "--format=%(refname)", "refs/flotilla");

async function commits(message: string, files: Readonly<Record<string, string>>) {
  for (const [path, text] of Object.entries(files)) await harness.write(NAME, path, text);
  const made = await harness.worktrees.commit(ref(), { message, author: AUTHOR });
  return made?.commit ?? "none";
}

beforeEach(async () => {
  harness = await realHarness();
  onTestFinished(() => harness.close());
  await harness.worktrees.prepare(ref(), FRESH);
});

describe("where the server makes the commits", { timeout: 180_000 }, () => {
  it("each of ours is one of its own, with files, modes, links, merges and message, and the work goes on from there", async () => {
    const signing = serverSigning(harness.server, harness.fullName);
    const directory = harness.directory(NAME);
    await harness.write(NAME, "run.sh", "true\n");
    await chmod(join(directory, "run.sh"), 0o755);
    await symlink("run.sh", join(directory, "link"));
    const first = await commits("First\n\nWhy: it is.\n\nModel: any", {});
    const main = await harness.serverCommit("main", { "theirs.txt": "theirs\n" });
    await harness.worktrees.prepare(ref(), FRESH);
    await plainGit(directory, ["merge", "--quiet", "--no-commit", "--no-ff", main]);
    const second = await commits("Second", { "b.txt": "b\n", "open.txt": "open\n" });
    await harness.write(NAME, "open.txt", "not committed\n");

    const { commit } = await harness.worktrees.push(ref(), { signing });
    expect(await onServer("rev-parse", BRANCH)).toBe(commit);
    expect(signing.made).toHaveLength(2);
    expect(commit).toBe(signing.made[1]);
    expect([first, second]).not.toContain(commit);
    const trees = [`${first}^{tree}`, `${second}^{tree}`, `${commit}^^{tree}`, `${commit}^{tree}`];
    const [one, two, ...there] = (await plainGit(harness.mirror, ["rev-parse", ...trees])).split("\n");
    expect(there).toEqual([one, two]);
    expect(await onServer("rev-parse", `${commit}^2`)).toBe(main);
    expect(await onServer("log", "-1", "--format=%B", `${commit}^`)).toContain(
      "First\n\nWhy: it is.\n\nModel: any",
    );
    expect(await onServer("ls-tree", commit, "run.sh", "link")).toMatch(/120000 .*link\n100755 .*run\.sh/);
    expect(await ourRefs()).toBe("");

    const status = await harness.worktrees.status(ref());
    expect(status).toMatchObject({ head: commit, pushed: true, changed: ["open.txt"] });
    await commits("Third", {});
    const third = await harness.worktrees.push(ref(), { signing });
    expect(await onServer("rev-parse", `${third.commit}^`)).toBe(commit);
    expect(signing.made).toHaveLength(3);
    expect(await harness.worktrees.push(ref(), { signing })).toEqual(third);
    expect(signing.made).toHaveLength(3);
  });

  it.each(["git:signed", "git:pushed"] as const)("has each commit once after an end at %s", async (point) => {
    const signing = serverSigning(harness.server, harness.fullName);
    await commits("First", { "a.txt": "a\n" });
    const own = await commits("Second", { "b.txt": "b\n" });
    const dying = harness.restart({
      crashPoint: (at) => {
        if (at === point) throw new Error(point);
      },
    }).worktrees;
    await expect(dying.push(ref(), { signing })).rejects.toThrow(point);
    const { commit } = await harness.restart().worktrees.push(ref(), { signing });
    expect(await logOn(BRANCH)).toEqual(["A person: First", "A person: Second"]);
    expect(commit).not.toBe(own);
    expect(await harness.worktrees.status(ref())).toMatchObject({ head: commit, pushed: true, clean: true });
    expect(await ourRefs()).toBe("");
  });

  it("never loses what somebody else pushed, before or meanwhile, and puts the work on top of it", async () => {
    const signing = serverSigning(harness.server, harness.fullName);
    await commits("First", { "a.txt": "a\n" });
    await harness.worktrees.push(ref(), { signing });
    await commits("Second", { "b.txt": "b\n" });
    const theirs = await harness.serverCommit(BRANCH, { "theirs.txt": "t\n" });
    await expect(harness.worktrees.push(ref(), { signing })).rejects.toMatchObject({
      code: "foreign_commits",
    });
    await harness.worktrees.prepare(ref(), { base: null, reusePushed: true });
    await commits("Second", {});
    let between = "";
    const late = {
      ...signing,
      moveBranch: async (branch: string, commit: string) => {
        between ||= await harness.serverCommit(BRANCH, { "late.txt": "l\n" });
        return signing.moveBranch(branch, commit);
      },
    };
    await expect(harness.worktrees.push(ref(), { signing: late })).rejects.toMatchObject({
      code: "foreign_commits",
      consequence: "tell",
    });
    expect(await onServer("rev-parse", BRANCH, `${BRANCH}^`)).toBe(`${between}\n${theirs}`);
    await harness.worktrees.prepare(ref(), { base: null, reusePushed: true });
    await commits("Second", {});
    const { commit } = await harness.worktrees.push(ref(), { signing });
    expect(await onServer("rev-parse", `${commit}^`)).toBe(between);
  });

  it("makes the merge of a base into a branch too, once, and only while it may", async () => {
    const signing = serverSigning(harness.server, harness.fullName);
    await commits("First", { "a.txt": "a\n" });
    const { commit: expected } = await harness.worktrees.push(ref(), { signing });
    const main = await harness.serverCommit("main", { "theirs.txt": "theirs\n" });
    const how = { branch: BRANCH, base: "main", expected, author: AUTHOR, signing };
    const { worktrees, repository } = harness;
    expect(await worktrees.updateBranch(repository, { ...how, mayPush: never })).toEqual({ kind: "held" });
    expect(await onServer("rev-parse", BRANCH)).toBe(expected);
    const updated = await worktrees.updateBranch(repository, how);
    const head = await onServer("rev-parse", BRANCH);
    expect(updated).toEqual({ kind: "updated", commit: head });
    expect(head).toBe(signing.made.at(-1));
    expect(await onServer("log", "-1", "--format=%P", head)).toBe(`${expected} ${main}`);
    const many = signing.made.length;
    expect(await worktrees.updateBranch(repository, how)).toEqual(updated);
    expect(signing.made).toHaveLength(many);
    const approved = { branch: BRANCH, approved: expected };
    expect(await worktrees.compareBranches(repository, "main", [approved])).toMatchObject([
      { head, approved: true, current: true },
    ]);
  });
});
