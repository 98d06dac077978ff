import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SKILL_ENTRIES, skillFolders } from "../../../src/domain/instructions/skill-folders.ts";
import { patternsOfTests } from "../../../src/domain/merge-queue/test-places.ts";
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

it("names what of a repository's skills leads out, and reads a whole one from the commit alone", async () => {
  const secret = "/etc/passwd";
  const commit = await commitOf(async (directory) => {
    const at = (path: string) => join(directory, path);
    for (const path of ["good/scripts", "linked-file", "real"])
      await mkdir(at(`.github/skills/${path}`), { recursive: true });
    for (const path of ["good/SKILL.md", "linked-file/SKILL.md", "real/SKILL.md"])
      await writeFile(at(`.github/skills/${path}`), "Committed.\n");
    await writeFile(at(".github/skills/good/scripts/a.py"), "pass\n");
    await symlink(secret, at(".github/skills/linked-file/more.md"));
    await symlink("/etc", at(".github/skills/linked-folder"));
    await mkdir(at(".claude"));
    await symlink("../.github/skills", at(".claude/skills"));
  });
  const { repository, worktrees } = harness;
  const files = await worktrees.filesAt(repository, commit, { patterns: SKILL_ENTRIES, most: 100 });
  const { wanted, leftOut } = skillFolders(files, []);
  expect(wanted.map(({ path }) => path)).toEqual([".github/skills/good", ".github/skills/real"]);
  expect(leftOut).toEqual([
    { path: ".claude/skills", note: "is a link and is not followed" },
    { path: ".github/skills/linked-file", note: "contains a link, which is not followed: more.md" },
    { path: ".github/skills/linked-folder", note: "contains a link, which is not followed: linked-folder" },
  ]);
  const blobs = wanted.flatMap(({ entries }) => entries.map(({ blob }) => blob));
  const texts = [...(await worktrees.texts(repository, blobs)).values()];
  expect(new Set(texts)).toEqual(new Set(["Committed.\n", "pass\n"]));
});

it("names a tree that no git command writes, whose names lead out of the folder", async () => {
  const commit = await commitOf(async (directory) => {
    await mkdir(join(directory, ".github/skills/up/xx"), { recursive: true });
    await writeFile(join(directory, ".github/skills/up/SKILL.md"), "s\n");
    await writeFile(join(directory, ".github/skills/up/xx/a"), "a\n");
  });
  const { path } = await harness.worktrees.prepare(ref("person"), FRESH);
  let tree = "";
  for (const [at, name] of [
    [".github/skills/up/xx", ".."],
    [".github/skills/up", "up"],
    [".github/skills", "skills"],
    [".github", ".github"],
  ] as const) {
    const listed = await plainGit(path, ["ls-tree", `${commit}:${at}`]);
    const lines = listed
      .split("\n")
      .map((line) => (tree === "" || !line.includes(" tree ") ? line : `040000 tree ${tree}`));
    tree = await mktree(path, lines.join("\n"));
    tree = `${tree}\t${name}`;
  }
  const top = await mktree(path, `040000 tree ${tree}`);
  const evil = await plainGit(path, ["commit-tree", "-m", "evil", top]);
  const { repository, worktrees } = harness;
  const files = await worktrees.filesAt(repository, evil, { patterns: SKILL_ENTRIES, most: 100 });
  const { wanted, leftOut } = skillFolders(files, []);
  expect(wanted).toEqual([]);
  expect(leftOut[0]?.note).toMatch(/or one that leads out of the folder: \.\.\/a$/);
});

/** Writes a tree as git stores it, whatever its names are. */
function mktree(directory: string, lines: string): Promise<string> {
  const run = execute("git", ["-C", directory, "mktree"]);
  run.child.stdin?.end(`${lines}\n`);
  return run.then(({ stdout }) => stdout.trim());
}

it("finds where tests lie, also below a directory whose name has a wildcard, and nothing deeper beside them", async () => {
  const paths = ["[id]/e2e/a.e2e.ts", "[id]/b.ts", "[id]/deep/c.ts", "package.json", "lib/d.ts"];
  const commit = await commitOf(async (directory) => {
    for (const path of paths) {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), "x\n");
    }
  });
  const patterns = patternsOfTests(["[id]/e2e/new.ts"]);
  const found = await harness.worktrees.filesAt(harness.repository, commit, { patterns, most: 100 });
  expect(found.map(({ path }) => path)).toEqual(["[id]/b.ts", "[id]/e2e/a.e2e.ts"]);
});
