import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, mkdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type * as git from "../../../src/adapters/git/process/run-git.ts";
import { archivesShown, restoreCommand, shellWord } from "../../../src/domain/tasks/archive-text.ts";
import { AUTHOR, FRESH } from "../../contracts/worktrees-harness.ts";
import { plainGit } from "./plain-git.ts";
import { type RealHarness, realHarness } from "./real-harness.ts";

const execute = promisify(execFile);
const BASE = { base: "main" };

/** What a bad disk does to a bundle right after git has written it. */
const disk = vi.hoisted(() => ({ bad: false }));
vi.mock("../../../src/adapters/git/process/run-git.ts", async (original) => {
  const real = await original<typeof git>();
  const runGit: typeof git.runGit = async (host, call) => {
    const answer = await real.runGit(host, call);
    const draft = call.args.find((argument) => argument.includes("/bundle-"));
    if (!disk.bad || draft === undefined || !call.args.includes("create")) return answer;
    const bytes = await readFile(draft);
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 30) ^ 1, bytes.length - 30);
    await writeFile(draft, bytes);
    return answer;
  };
  return { ...real, runGit };
});

let harness: RealHarness;
let clone: string;
const ref = (name: string) => ({ repository: harness.repository, name, branch: `flotilla/${name}` });

/** A worktree of its own in the one repository of this file. */
async function aWorktree(name: string): Promise<string> {
  return (await harness.worktrees.prepare(ref(name), FRESH)).path;
}

beforeAll(async () => {
  harness = await realHarness();
  clone = join(harness.dataDir, "..", "the operator's clone");
  const bare = join(harness.dataDir, "..", "server", "octo/app.git");
  await execute("git", ["clone", "--quiet", bare, clone]);
});
afterAll(() => harness.close());

it("restores commits, changes, new files, links and modes in a plain clone by the line that people are shown", async () => {
  const path = await aWorktree("one");
  await writeFile(join(path, "committed.txt"), "c\n");
  const made = await harness.worktrees.commit(ref("one"), { message: "work", author: AUTHOR });
  await writeFile(join(path, "README.md"), "changed\n");
  await mkdir(join(path, "new"));
  await writeFile(join(path, "new", "run.sh"), "#!/bin/sh\n");
  await chmod(join(path, "new", "run.sh"), 0o755);
  await symlink("run.sh", join(path, "new", "link"));
  await writeFile(join(path, "binary"), Buffer.from([0, 255, 10, 13]));
  const { archive } = await harness.worktrees.remove(ref("one"), BASE);
  const bundle = join(harness.dataDir, archive?.path ?? "");

  const [agent, row] = [
    { id: 1, name: "one" },
    { agentId: 1, madeAt: 0, expiresAt: 0, removedAt: null },
  ];
  const shown = archivesShown([agent], archive === null ? [] : [{ ...row, ...archive }]);
  const line = shown.find((text) => text.startsWith("git fetch")) ?? "";
  const env = { PATH: process.env["PATH"], HOME: clone, FLOTILLA_DATA_DIR: harness.dataDir };
  await execute("sh", ["-c", line], { cwd: clone, env });
  expect(await readFile(join(clone, "committed.txt"), "utf8")).toBe("c\n");
  expect(await readFile(join(clone, "README.md"), "utf8")).toBe("changed\n");
  expect(await readFile(join(clone, "new", "link"), "utf8")).toBe("#!/bin/sh\n");
  expect((await stat(join(clone, "new", "run.sh"))).mode & 0o100).toBe(0o100);
  expect([...(await readFile(join(clone, "binary")))]).toEqual([0, 255, 10, 13]);
  expect(await plainGit(clone, ["log", "--format=%s", "main..HEAD"])).toBe(
    "What one had not committed\nwork",
  );
  expect(await plainGit(clone, ["rev-parse", "HEAD^"])).toBe(made?.commit);

  const bytes = await readFile(bundle);
  // Only what a clone lacks is in it.
  expect(bytes.toString("latin1")).toContain(`\n-${await harness.serverHead("main")} `);
  expect(archive).toMatchObject({
    bytes: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
  });
});

it("finds work that the agent's own index hides", async () => {
  const path = await aWorktree("two");
  await plainGit(path, ["update-index", "--assume-unchanged", "README.md"]);
  await plainGit(path, ["update-index", "--skip-worktree", "src/a.txt"]);
  await writeFile(join(path, "README.md"), "hidden\n");
  await writeFile(join(path, "src", "a.txt"), "hidden too\n");
  expect(await harness.worktrees.status(ref("two"))).toMatchObject({ clean: true });
  const { archive } = await harness.worktrees.remove(ref("two"), BASE);
  const bundle = join(harness.dataDir, archive?.path ?? "");
  await execute("sh", ["-c", restoreCommand("two", shellWord(bundle))], { cwd: clone });
  expect(await readFile(join(clone, "README.md"), "utf8")).toBe("hidden\n");
  expect(await readFile(join(clone, "src", "a.txt"), "utf8")).toBe("hidden too\n");
});

it("moves nested repositories beside the bundle, and leaves ignored files to go", async () => {
  const path = await aWorktree("three");
  const nested = join(path, "vendor", "tool");
  await mkdir(nested, { recursive: true });
  await plainGit(nested, ["init", "--quiet", "."]);
  await writeFile(join(nested, "precious.txt"), "p\n");
  await writeFile(join(path, ".gitignore"), "*.log\n");
  await writeFile(join(path, "build.log"), "l\n");
  const { archive } = await harness.worktrees.remove(ref("three"), BASE);
  const beside = join(harness.dataDir, archive?.path ?? "", "..", "nested", "vendor", "tool");
  expect(await readFile(join(beside, "precious.txt"), "utf8")).toBe("p\n");
  expect(
    await plainGit(harness.mirror, ["ls-tree", "-r", "--name-only", "refs/flotilla/archives/three"]),
  ).toBe(".gitignore\nREADME.md\nsrc/a.txt\nsrc/b.txt");
});

it("archives pushed work whose branch a person has deleted since, and asks no server that does not answer", async () => {
  await aWorktree("seven");
  await harness.write("seven", "a.txt", "a\n");
  await harness.worktrees.commit(ref("seven"), { message: "work", author: AUTHOR });
  await harness.worktrees.push(ref("seven"));
  await harness.server.git(harness.fullName, "update-ref", "-d", `refs/heads/${ref("seven").branch}`);
  expect((await harness.worktrees.remove(ref("seven"), BASE)).archive).not.toBeNull();
  await aWorktree("eight");
  await harness.write("eight", "a.txt", "a\n");
  harness.server.answerWith(500);
  expect((await harness.worktrees.remove(ref("eight"), BASE)).archive).not.toBeNull();
  harness.server.answerWith(null);
});

it("keeps the worktree when the archive cannot be written, or cannot be read back", async () => {
  const path = await aWorktree("four");
  await writeFile(join(path, "a.txt"), "a\n");
  await writeFile(join(harness.dataDir, "archives", "4711", "four"), "in the way");
  await expect(harness.worktrees.remove(ref("four"), BASE)).rejects.toMatchObject({ name: "GitError" });
  await rm(join(harness.dataDir, "archives", "4711", "four"));
  disk.bad = true;
  await expect(harness.worktrees.remove(ref("four"), BASE)).rejects.toMatchObject({ name: "GitError" });
  disk.bad = false;
  expect(await readFile(join(path, "a.txt"), "utf8")).toBe("a\n");
});

it("forgets an agent's kept refs and archive, here and on the server, and no other's", async () => {
  const kept = () => plainGit(harness.mirror, ["for-each-ref", "--format=%(refname)", "refs/flotilla"]);
  const path = await aWorktree("six");
  await writeFile(join(path, "a.txt"), "a\n");
  await harness.worktrees.commit(ref("six"), { message: "work", author: AUTHOR });
  await harness.worktrees.push(ref("six"));
  await harness.serverCommit(ref("six").branch, { "theirs.txt": "t\n" });
  await writeFile(join(path, "b.txt"), "b\n");
  await harness.worktrees.prepare(ref("six"), { base: null, reusePushed: true });
  await harness.worktrees.checkpoint(ref("six"));
  await harness.worktrees.remove(ref("six"), BASE);
  expect(await kept()).toMatch(/archives\/six\n(?:.*\n)*.*checkpoints\/six\n(?:.*\n)*.*kept\/six\//);
  await harness.worktrees.forget(ref("six"));
  expect(await kept()).not.toMatch(/six/);
  expect(await kept()).toMatch(/archives\/two/);
  expect(await harness.server.git(harness.fullName, "for-each-ref", "refs/flotilla")).not.toMatch(/six/);
  await expect(stat(join(harness.dataDir, "archives", "4711", "six"))).rejects.toMatchObject({
    code: "ENOENT",
  });
  expect(await plainGit(harness.mirror, ["rev-parse", ref("six").branch])).toMatch(/^\w{40}$/);
});
