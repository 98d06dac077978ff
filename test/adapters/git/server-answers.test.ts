import { chmod, mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AUTHOR, FRESH } from "../../contracts/worktrees-harness.ts";
import { type RealHarness, realHarness } from "./real-harness.ts";

describe("When the server", { timeout: 60_000 }, () => {
  let harness: RealHarness;
  const ref = () => ({ repository: harness.repository, name: "dev-issue-1", branch: "flotilla/dev/issue-1" });
  const prepare = () => harness.worktrees.prepare(ref(), FRESH);
  const work = async () => {
    await harness.write("dev-issue-1", "a.txt", "a\n");
    return harness.worktrees.commit(ref(), { message: "m", author: AUTHOR });
  };
  const serverHook = async (script: string) => {
    const hooks = join(harness.dataDir, "..", "server", "octo", "app.git", "hooks");
    await mkdir(hooks);
    await writeFile(join(hooks, "pre-receive"), `#!/bin/sh\n${script}\n`);
    await chmod(join(hooks, "pre-receive"), 0o755);
  };

  beforeEach(async () => {
    harness = await realHarness();
  });
  afterEach(() => harness.close());

  it("is out of order, an existing worktree can be prepared, and a new one is tried again later", async () => {
    const { baseCommit } = await prepare();
    harness.server.answerWith(503);
    expect(await prepare()).toMatchObject({ origin: "existing", baseCommit });
    await expect(
      harness.worktrees.prepare({ ...ref(), name: "other", branch: "other" }, FRESH),
    ).rejects.toMatchObject({ code: "network", consequence: "retry" });
  });

  it("is asked once for a worktree that stands, where the base branch is named", async () => {
    await prepare();
    const before = harness.server.requests.length;
    await harness.worktrees.prepare(ref(), { base: "main", reusePushed: true });
    const asked = harness.server.requests.slice(before).filter((request) => request.includes("/info/refs"));
    expect(asked).toHaveLength(1);
  });

  it("fails in the middle of a push, the outcome is called uncertain", async () => {
    await prepare();
    await work();
    harness.server.answerWith(502);
    await expect(harness.worktrees.push(ref())).rejects.toMatchObject({ code: "network", uncertain: true });
  });

  it("protects the branch, its reason is told", async () => {
    await prepare();
    await work();
    await serverHook("echo 'GH006: Protected branch update failed' >&2; exit 1");
    await expect(harness.worktrees.push(ref())).rejects.toMatchObject({
      code: "protected",
      consequence: "tell",
      message: expect.stringContaining("GH006"),
    });
  });

  it("refuses the checkpoint's ref, the checkpoint still lies in the mirror", async () => {
    await prepare();
    await harness.write("dev-issue-1", "a.txt", "unsaved\n");
    await serverHook("exit 1");
    expect(await harness.worktrees.checkpoint(ref())).toMatchObject({ pushed: false });
    await harness.loseDirectory("dev-issue-1");
    expect(await prepare()).toMatchObject({ origin: "checkpoint" });
    expect(await harness.read("dev-issue-1", "a.txt")).toBe("unsaved\n");
  });

  it("does not know the repository, a person is told", async () => {
    const gone = { ...ref(), repository: { ...harness.repository, name: "gone" } };
    await expect(harness.worktrees.prepare(gone, FRESH)).rejects.toMatchObject({
      code: "repository_not_found",
      consequence: "tell",
    });
  });

  it("knows the repository by a new name, the same mirror continues", async () => {
    await prepare();
    const made = await work();
    const repositories = join(harness.dataDir, "..", "server", "octo");
    await rename(join(repositories, "app.git"), join(repositories, "renamed.git"));
    const renamed = { ...ref(), repository: { ...harness.repository, name: "renamed" } };
    expect(await harness.worktrees.push(renamed)).toEqual(made);
    expect(await harness.server.git("octo/renamed", "rev-parse", ref().branch)).toBe(made?.commit);
  });

  it("has deleted a branch and has another below its name, the fetch succeeds", async () => {
    await harness.serverCommit("topic", { "t.txt": "t\n" });
    await prepare();
    await harness.server.git(harness.fullName, "branch", "-D", "topic");
    await harness.serverCommit("topic/inner", { "t.txt": "t\n" });
    const other = { ...ref(), name: "other", branch: "other" };
    expect(await harness.worktrees.prepare(other, { base: "topic/inner", reusePushed: false })).toMatchObject(
      { origin: "fresh" },
    );
  });

  it("serves four agents of one cold mirror at once, each gets its worktree", async () => {
    const agents = [1, 2, 3, 4].map((number) => ({
      ...ref(),
      name: `dev-${number}`,
      branch: `flotilla/dev/${number}`,
    }));
    const prepared = await Promise.all(agents.map((agent) => harness.worktrees.prepare(agent, FRESH)));
    expect(new Set(prepared.map(({ path }) => path)).size).toBe(4);
    for (const agent of agents) {
      expect(await harness.worktrees.status(agent)).toMatchObject({ exists: true, clean: true });
    }
  });

  it("would be reached by another transport than http and https, nothing is made of it", () => {
    expect(() => harness.restart({ serverUrl: "ext::sh" })).toThrow("must be an https URL");
    expect(() => harness.restart({ serverUrl: "file:///tmp" })).toThrow("must be an https URL");
  });
});
