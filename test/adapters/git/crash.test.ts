import { execFile } from "node:child_process";
import { mkdir, readFile, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AUTHOR, FILES, FRESH } from "../../contracts/worktrees-harness.ts";
import { plainGit } from "./plain-git.ts";
import { type RealHarness, realHarness, TOKEN } from "./real-harness.ts";

const execute = promisify(execFile);

/** Stands before git, and before bwrap that confines it, on the PATH, and at the given command kills the host process. Files that git would have written then are half there. */
const killer = (moment: string, directory: string, path: string) => `#!/bin/sh
case "$*" in *${moment}*)
  kill -9 "$PPID"
  [ ${moment} = read-tree ] && printf half > '${directory}/README.md'
  exit 1
esac
PATH='${path}' exec "\${0##*/}" "$@"
`;

describe("After a crash", { timeout: 60_000 }, () => {
  let harness: RealHarness;
  const ref = () => ({ repository: harness.repository, name: "dev-issue-1", branch: "flotilla/dev/issue-1" });
  const write = (path: string, text: string) => harness.write("dev-issue-1", path, text);
  const entry = () => join(harness.mirror, "worktrees", "dev-issue-1");

  beforeEach(async () => {
    harness = await realHarness();
  });
  afterEach(() => harness.close());

  it.each(["init", "fetch", "worktree", "read-tree", "refs/flotilla/bases"])(
    "a kill -9 at git %s leaves nothing in prepare that the next prepare does not fix",
    async (moment) => {
      const bin = join(harness.dataDir, "..", "bin");
      const path = process.env["PATH"] ?? "";
      await mkdir(bin);
      for (const program of ["git", "bwrap"])
        await writeFile(join(bin, program), killer(moment, harness.directory("dev-issue-1"), path), {
          mode: 0o755,
        });
      const child = join(import.meta.dirname, "crash-child.ts");
      const host = execute(process.execPath, [child, harness.dataDir, harness.server.url, TOKEN], {
        env: { PATH: `${bin}:${path}` },
      });
      await expect(host).rejects.toMatchObject({ signal: "SIGKILL" });

      const head = await harness.serverHead("main");
      expect(await harness.worktrees.prepare(ref(), FRESH)).toMatchObject({ head, baseCommit: head });
      expect(await harness.worktrees.status(ref())).toMatchObject({ clean: true, pushed: true, head });
      expect(await harness.read("dev-issue-1", "README.md")).toBe(FILES["README.md"]);
    },
  );

  it("locks that a dead git left in the worktree do not stop the next prepare", async () => {
    await harness.worktrees.prepare(ref(), FRESH);
    await writeFile(join(entry(), "index.lock"), "");
    await writeFile(join(entry(), "HEAD.lock"), "");
    await write("a.txt", "a\n");
    expect(await harness.worktrees.prepare(ref(), FRESH)).toMatchObject({ origin: "existing" });
    expect(await harness.worktrees.commit(ref(), { message: "m", author: AUTHOR })).not.toBeNull();
  });

  it("a commit waits for a young lock, which a living git may hold, and removes one older than a minute", async () => {
    await harness.worktrees.prepare(ref(), FRESH);
    await write("a.txt", "a\n");
    const lock = join(entry(), "index.lock");
    await writeFile(lock, "");
    const commit = () => harness.worktrees.commit(ref(), { message: "m", author: AUTHOR });
    await expect(commit()).rejects.toMatchObject({ code: "locked", consequence: "retry" });
    const old = new Date(Date.now() - 61_000);
    await utimes(lock, old, old);
    expect(await commit()).not.toBeNull();
  });

  it("a checkpoint needs no lock of the agent's index", async () => {
    await harness.worktrees.prepare(ref(), FRESH);
    await write("a.txt", "a\n");
    await writeFile(join(entry(), "index.lock"), "");
    expect(await harness.worktrees.checkpoint(ref())).toMatchObject({ pushed: true });
  });

  it("locks on refs from before this process are removed", async () => {
    await harness.worktrees.prepare(ref(), FRESH);
    const lock = join(harness.mirror, "refs", "heads", "flotilla", "dev", "issue-1.lock");
    await writeFile(lock, "");
    await utimes(lock, new Date(0), new Date(0));
    await harness.restart().worktrees.prepare(ref(), FRESH);
    await write("a.txt", "a\n");
    expect(await harness.worktrees.commit(ref(), { message: "m", author: AUTHOR })).not.toBeNull();
  });

  it("an unreadable index is made again and uncommitted files are kept; a checkpoint does without it", async () => {
    await harness.worktrees.prepare(ref(), FRESH);
    await write("a.txt", "a\n");
    await truncate(join(entry(), "index"), 20);
    expect(await harness.worktrees.checkpoint(ref())).not.toBeNull();
    expect(await harness.worktrees.prepare(ref(), FRESH)).toMatchObject({ origin: "existing" });
    expect(await harness.worktrees.status(ref())).toMatchObject({ changed: ["a.txt"] });
  });

  it("a worktree whose branch is broken is moved aside and made again from the checkpoint", async () => {
    const { head } = await harness.worktrees.prepare(ref(), FRESH);
    await write("a.txt", "a\n");
    await harness.worktrees.checkpoint(ref());
    await rm(join(harness.mirror, "refs", "heads", "flotilla"), { recursive: true });
    expect(await harness.worktrees.prepare(ref(), FRESH)).toMatchObject({ origin: "checkpoint", head });
    expect(await harness.read("dev-issue-1", "a.txt")).toBe("a\n");
    expect(harness.logged.map(({ message }) => message)).toContain("worktree damaged");
  });

  it("a directory that the mirror does not know is moved aside, not deleted", async () => {
    await harness.worktrees.prepare(ref(), FRESH);
    await write("precious.txt", "p\n");
    await rm(entry(), { recursive: true });
    expect(await harness.worktrees.prepare(ref(), FRESH)).toMatchObject({ origin: "fresh" });
    expect(await harness.read("dev-issue-1", "precious.txt")).toBeNull();
    const target = harness.logged.flatMap(({ fields }) =>
      "target" in fields ? [String(fields.target)] : [],
    );
    expect(await readFile(join(target[0] ?? "", "precious.txt"), "utf8")).toBe("p\n");
  });

  it("a lost mirror is fetched again, with the checkpoint that was recorded and that the server keeps", async () => {
    const { head } = await harness.worktrees.prepare(ref(), FRESH);
    await write("a.txt", "unsaved\n");
    const made = await harness.worktrees.checkpoint(ref());
    await rm(harness.dataDir, { recursive: true });
    const again = harness.restart();
    const prepared = await again.worktrees.prepare(ref(), { ...FRESH, saved: [made?.commit ?? ""] });
    expect(prepared).toMatchObject({ origin: "checkpoint", head });
    expect(await again.read("dev-issue-1", "a.txt")).toBe("unsaved\n");
    expect(await plainGit(harness.directory("dev-issue-1"), ["branch", "--show-current"])).toBe(ref().branch);
  });
});
