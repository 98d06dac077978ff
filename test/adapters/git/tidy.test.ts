import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { usedBytes } from "../../../src/adapters/git/worktree/used-bytes.ts";
import { AUTHOR, FRESH } from "../../contracts/worktrees-harness.ts";
import { type RealHarness, realHarness } from "./real-harness.ts";

const execute = promisify(execFile);
const MIB = 1024 ** 2;

let harness: RealHarness;
beforeAll(async () => {
  harness = await realHarness();
});
afterAll(() => harness.close());

const ref = (name: string) => ({ repository: harness.repository, name, branch: `flotilla/${name}` });
const git = async (...args: readonly string[]): Promise<string> =>
  (await execute("git", [`--git-dir=${harness.mirror}`, ...args])).stdout.trim();
const size = async () => (await usedBytes([harness.mirror], 1_000_000)).bytes;
const refsOf = async (name: string) =>
  (await git("for-each-ref", "--format=%(refname)")).split("\n").filter((line) => line.includes(`/${name}`));

/** As if all that is there now had been written three days ago. */
const age = () =>
  execute("find", [
    join(harness.mirror, "objects"),
    "-type",
    "f",
    "-exec",
    "touch",
    "-d",
    "3 days ago",
    "{}",
    "+",
  ]);

it("deletes what old checkpoints held, keeps what anything reaches and all that is young", async () => {
  const { path } = await harness.worktrees.prepare(ref("one"), FRESH);
  const save = async () => {
    await writeFile(join(path, "big"), randomBytes(2 * MIB));
    return (await harness.worktrees.checkpoint(ref("one")))?.commit ?? "";
  };
  const committed = await harness.worktrees.commit(ref("one"), { message: "nothing", author: AUTHOR });
  expect(committed).toBeNull();
  const [first, second] = [await save(), await save()];
  await age();
  const third = await save();
  const before = await size();
  await harness.worktrees.tidy(harness.repository);
  expect(before - (await size())).toBeGreaterThan(3.5 * MIB);
  await expect(git("cat-file", "-e", first)).rejects.toThrow(/cat-file -e/);
  await expect(git("cat-file", "-e", second)).rejects.toThrow(/cat-file -e/);

  // What nothing reaches is kept for two days.
  const last = await save();
  await harness.worktrees.tidy(harness.repository);
  expect(await git("cat-file", "-t", third)).toBe("commit");
  expect(await git("rev-parse", "refs/flotilla/checkpoints/one")).toBe(last);
  expect(await git("fsck", "--connectivity-only", "--no-dangling")).toBe("");
  expect(await harness.worktrees.status(ref("one"))).toMatchObject({ exists: true, clean: false });
  expect(await harness.worktrees.commit(ref("one"), { message: "big", author: AUTHOR })).not.toBeNull();
});

it("makes one pack of many, with what agents reach", async () => {
  const { path, head } = await harness.worktrees.prepare(ref("two"), FRESH);
  for (let at = 0; at < 11; at += 1) {
    const blob = execute("git", [`--git-dir=${harness.mirror}`, "hash-object", "-w", "--stdin"]);
    blob.child.stdin?.end(`blob ${at}`);
    const packed = execute("git", [
      `--git-dir=${harness.mirror}`,
      "pack-objects",
      "-q",
      join(harness.mirror, "objects/pack/pack"),
    ]);
    packed.child.stdin?.end((await blob).stdout);
    await packed;
  }
  const packs = async () => Number(/^packs: (\d+)$/m.exec(await git("count-objects", "-v"))?.[1]);
  expect(await packs()).toBeGreaterThan(10);
  await age();
  await harness.worktrees.tidy(harness.repository);
  expect(await packs()).toBe(1);
  await writeFile(join(path, "new.txt"), "new");
  const made = await harness.worktrees.commit(ref("two"), { message: "new", author: AUTHOR });
  expect(await git("rev-parse", `${made?.commit}^`)).toBe(head);
});

it("takes all that was kept of an agent once it is forgotten", async () => {
  const { path } = await harness.worktrees.prepare(ref("three"), FRESH);
  await writeFile(join(path, "big"), randomBytes(2 * MIB));
  const saved = await harness.worktrees.checkpoint(ref("three"));
  await harness.worktrees.remove(ref("three"), { base: "main" });
  await age();
  await harness.worktrees.tidy(harness.repository);
  expect(await git("cat-file", "-t", saved?.commit ?? "")).toBe("commit");
  await harness.worktrees.forget(ref("three"));
  expect(await refsOf("three")).toEqual(["refs/heads/flotilla/three"]);
  await age();
  await harness.worktrees.tidy(harness.repository);
  await expect(git("cat-file", "-e", saved?.commit ?? "")).rejects.toThrow(/cat-file -e/);
});

it("has nothing to do for a repository without a mirror", async () => {
  expect(await harness.worktrees.tidy({ ...harness.repository, id: 1 })).toBeUndefined();
});
