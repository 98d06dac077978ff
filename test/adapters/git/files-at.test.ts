import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { FRESH } from "../../contracts/worktrees-harness.ts";
import { plainGit } from "./plain-git.ts";
import { type RealHarness, realHarness } from "./real-harness.ts";

const execute = promisify(execFile);

let harness: RealHarness;
beforeEach(async () => {
  harness = await realHarness();
});
afterEach(() => harness.close());

const ref = (name: string) => ({ repository: harness.repository, name, branch: null });

/** Puts a commit that a person made, with whatever files `make` leaves, into the mirror. */
async function commitOf(make: (directory: string) => Promise<void>): Promise<string> {
  const { path } = await harness.worktrees.prepare(ref("person"), FRESH);
  await make(path);
  await plainGit(path, ["add", "--all", "--force"]);
  await plainGit(path, ["commit", "--quiet", "--message=m"]);
  return plainGit(path, ["rev-parse", "HEAD"]);
}

const list = (commit: string, most = 100) =>
  harness.worktrees.filesAt(harness.repository, commit, { patterns: ["**/AGENTS.md"], most });

it("names a link and a submodule for what they are, and never reads where a link leads", async () => {
  const commit = await commitOf(async (directory) => {
    await symlink("/etc/passwd", join(directory, "AGENTS.md"));
    await mkdir(join(directory, "real"));
    await writeFile(join(directory, "real", "AGENTS.md"), "Real.\n");
    await symlink("real", join(directory, "linked"));
    const { stdout } = await execute("git", ["-C", directory, "rev-parse", "HEAD"]);
    await plainGit(directory, [
      "update-index",
      "--add",
      "--cacheinfo",
      `160000,${stdout.trim()},sub/AGENTS.md`,
    ]);
    await mkdir(join(directory, "sub", "AGENTS.md"), { recursive: true });
  });
  const found = await list(commit);
  expect(found.map(({ path, kind, bytes }) => [path, kind, bytes])).toEqual([
    ["AGENTS.md", "link", 11],
    ["real/AGENTS.md", "file", 6],
    ["sub/AGENTS.md", "submodule", expect.any(Number)],
  ]);
  const [link] = found;
  expect(await harness.worktrees.blob(harness.repository, link?.blob ?? "", 100)).toBe("/etc/passwd");
});

it("reads only the beginning of a large file, and of thousands only so many", async () => {
  const commit = await commitOf(async (directory) => {
    await writeFile(join(directory, "AGENTS.md"), "é\n".repeat(1_000_000));
    for (let index = 0; index < 500; index += 1) {
      await mkdir(join(directory, `p${index}`));
      await writeFile(join(directory, `p${index}`, "AGENTS.md"), `${index}`);
    }
  });
  const found = await list(commit, 10_000);
  expect(found).toHaveLength(501);
  expect(found[0]).toMatchObject({ path: "AGENTS.md", bytes: 3_000_000 });
  expect(await list(commit, 100)).toEqual(found.slice(0, 100));
  const read = await harness.worktrees.blob(harness.repository, found[0]?.blob ?? "", 1000);
  expect(read).toBe(`${"é\n".repeat(333)}\uFFFD`);
});

it("keeps zeros and replaces other bytes that are no text", async () => {
  const commit = await commitOf((directory) =>
    writeFile(join(directory, "AGENTS.md"), Buffer.from([0x50, 0, 0xff, 0x4b])),
  );
  const [file] = await list(commit);
  expect(await harness.worktrees.blob(harness.repository, file?.blob ?? "", 100)).toBe("P\0\uFFFDK");
});

it("takes a name for no pattern's magic, and what is no hash for nothing at all", async () => {
  const { baseCommit } = await harness.worktrees.prepare(ref("dev"), FRESH);
  const { repository, worktrees } = harness;
  await expect(
    worktrees.filesAt(repository, "--output=/tmp/x", { patterns: [], most: 1 }),
  ).rejects.toMatchObject({
    code: "bad_name",
  });
  await expect(worktrees.blob(repository, `${baseCommit}:README.md`, 10)).rejects.toMatchObject({
    code: "bad_name",
  });
});
