import { chmod, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { AUTHOR, FRESH } from "../../contracts/worktrees-harness.ts";
import { plainGit } from "./plain-git.ts";
import { type RealHarness, realHarness } from "./real-harness.ts";

const NAME = "dev-issue-1";
const CHECKPOINT = `refs/flotilla/checkpoints/${NAME}`;

let harness: RealHarness;
beforeEach(async () => {
  harness = await realHarness();
});
afterEach(() => harness.close());

const ref = () => ({ repository: harness.repository, name: NAME, branch: "flotilla/dev/issue-1" });
const prepare = (saved: readonly string[] = []) => harness.worktrees.prepare(ref(), { ...FRESH, saved });

/** A checkpoint that the server has, of one new file. */
async function sent(text: string): Promise<string> {
  await harness.write(NAME, "open.txt", text);
  const saved = await harness.worktrees.checkpoint(ref(), { push: false });
  if (saved === null) throw new Error("nothing was saved");
  await harness.worktrees.pushCheckpoint(ref(), saved.commit);
  return saved.commit;
}

/** What is left when the machine is gone. */
async function loseAll(): Promise<void> {
  for (const part of ["mirrors", "worktrees"])
    await rm(join(harness.dataDir, part), { recursive: true, force: true });
}

async function serverCommit(text: string): Promise<string> {
  const commit = await harness.serverCommit("strange", { "open.txt": text });
  await harness.server.git(harness.fullName, "update-ref", CHECKPOINT, commit);
  return commit;
}

it("brings the named checkpoint back from the server, without mirror and worktree", async () => {
  await prepare();
  const commit = await sent("ours\n");
  await loseAll();
  expect(await prepare([commit])).toMatchObject({ origin: "checkpoint", checkpoint: commit });
  expect(await harness.read(NAME, "open.txt")).toBe("ours\n");
});

it("takes the one before, where the newest never reached the server", async () => {
  await prepare();
  const commit = await sent("ours\n");
  await harness.write(NAME, "open.txt", "later\n");
  const unsent = await harness.worktrees.checkpoint(ref(), { push: false });
  await loseAll();
  expect(await prepare([unsent?.commit ?? "", commit])).toMatchObject({ checkpoint: commit });
  expect(await harness.read(NAME, "open.txt")).toBe("ours\n");
});

it("believes no checkpoint on the server that it is not told of", async () => {
  await prepare();
  await loseAll();
  const strange = await serverCommit("theirs\n");
  expect(await prepare()).toMatchObject({ origin: "fresh", checkpoint: null });
  expect(await harness.read(NAME, "open.txt")).toBeNull();
  await loseAll();
  expect(await prepare(["f".repeat(40)])).toMatchObject({ origin: "fresh", checkpoint: null });
  expect(strange).toMatch(/^[0-9a-f]{40}$/);
});

it("finds its own under a ref that somebody moved, or nothing, but never the other", async () => {
  await prepare();
  const commit = await sent("ours\n");
  await loseAll();
  await serverCommit("theirs\n");
  const { checkpoint } = await prepare([commit]);
  expect([commit, null]).toContain(checkpoint);
  expect(await harness.read(NAME, "open.txt")).toBe(checkpoint === null ? null : "ours\n");
});

it("keeps a checkpoint that holds the same work", async () => {
  await prepare();
  const commit = await sent("ours\n");
  expect(await harness.worktrees.checkpoint(ref(), { push: false })).toMatchObject({ commit });
  await harness.worktrees.commit(ref(), { message: "work", author: AUTHOR });
  await harness.write(NAME, "open.txt", "more\n");
  expect(await harness.worktrees.checkpoint(ref(), { push: false })).not.toMatchObject({ commit });
});

it("saves only the tree that was examined", async () => {
  await prepare();
  await harness.write(NAME, "open.txt", "examined\n");
  const { tree } = await harness.worktrees.pending(ref(), 1000);
  await harness.write(NAME, "open.txt", "a secret\n");
  await expect(harness.worktrees.checkpoint(ref(), { push: false, tree })).rejects.toMatchObject({
    code: "tree_moved",
  });
  expect(await plainGit(harness.mirror, ["for-each-ref", CHECKPOINT])).toBe("");
});

it("leaves HEAD, index and branch of an agent at work as they are", async () => {
  const { path } = await prepare();
  await harness.write(NAME, "staged.txt", "staged\n");
  await plainGit(path, ["add", "staged.txt"]);
  await harness.write(NAME, "open.txt", "open\n");
  const look = async () => [
    await plainGit(path, ["status", "--porcelain=v1"]),
    await plainGit(path, ["symbolic-ref", "HEAD"]),
    await plainGit(path, ["stash", "list"]),
  ];
  const before = await look();
  await sent("open\n");
  expect(await look()).toEqual(before);
});

it("survives an agent that puts links and directories in the place of its files meanwhile", async () => {
  await prepare();
  const place = harness.directory(NAME);
  const outside = join(harness.dataDir, "outside");
  await writeFile(outside, "not theirs\n");
  await mkdir(join(place, "many"));
  for (let number = 0; number < 50; number += 1) await writeFile(join(place, "many", `${number}`), "x");
  const over = new AbortController();
  const race = (async () => {
    for (let round = 0; !over.signal.aborted && round < 10_000; round += 1) {
      await rename(join(place, "many"), join(place, "gone"));
      await symlink(outside, join(place, "many"));
      await rm(join(place, "many"));
      await rename(join(place, "gone"), join(place, "many"));
    }
  })();
  const saved: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    const made = await harness.worktrees.checkpoint(ref(), { push: false }).catch(() => null);
    if (made !== null) saved.push(made.commit);
  }
  over.abort();
  await race;
  await chmod(outside, 0o600);
  for (const commit of saved)
    expect(await plainGit(harness.mirror, ["grep", "-c", "not theirs", commit]).catch(() => "")).toBe("");
});
