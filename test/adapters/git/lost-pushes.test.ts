import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AUTHOR, FRESH } from "../../contracts/worktrees-harness.ts";
import { proved } from "../../proved.ts";
import type { LostAnswer } from "./http-server.ts";
import { type RealHarness, realHarness } from "./real-harness.ts";

const REF = { name: "dev-issue-1", branch: "flotilla/dev/issue-1" };
const CHECKPOINT = `refs/flotilla/checkpoints/${REF.name}`;

/** After a reset curl sends the request again by itself, and the server has the commit already. */
const LOST = {
  "502": { code: "network", consequence: "retry", uncertain: true },
  reset: { code: "server_ref_moved", consequence: "retry", uncertain: true },
};

// The harness sees at its end that nothing was sent by force.
describe.each<LostAnswer>(["502", "reset"])("A push that the server took, answered by %s", (how) => {
  let harness: RealHarness;
  const ref = () => ({ repository: harness.repository, ...REF });
  const subjects = (of = REF.branch) =>
    harness.server.git(harness.fullName, "log", "--format=%s", `main..${of}`).then((log) => log.split("\n"));
  const commits = async (file: string) => {
    await harness.write(REF.name, file, `${file}\n`);
    await harness.worktrees.commit(ref(), { message: `Add ${file}`, author: AUTHOR });
  };
  const pushes = () => harness.worktrees.push(ref());

  beforeEach(async () => {
    harness = await realHarness();
    await harness.worktrees.prepare(ref(), FRESH);
    await commits("a.txt");
  });
  afterEach(() => harness.close());

  it("is uncertain, and pushed again it is there once", async () => {
    harness.server.loseAnswer(how);
    await expect(pushes()).rejects.toMatchObject(LOST[how]);
    const taken = await harness.serverHead(REF.branch);
    expect(taken).not.toBeNull();
    expect(await pushes()).toEqual({ commit: taken });
    expect(await subjects()).toEqual(["Add a.txt"]);
    expect(await harness.worktrees.status(ref())).toMatchObject({ pushed: true });
    const received = await harness.server.received();
    expect(new Set(received.map(({ ref: name, after }) => `${name} ${after}`))).toEqual(
      new Set([`refs/heads/${REF.branch} ${taken}`]),
    );
    proved({
      promise: "A push that the server took and did not answer for is found again and not repeated.",
      test: "test/adapters/git/lost-pushes.test.ts",
      figure: `a ${how} after the push: sent ${received.length} times, ${(await subjects()).length} commit, 0 forced`,
    });
  });

  it("stays under what somebody else has put on it meanwhile, which is not overwritten", async () => {
    harness.server.loseAnswer(how);
    await expect(pushes()).rejects.toMatchObject(LOST[how]);
    const theirs = await harness.serverCommit(REF.branch, { "theirs.txt": "theirs\n" });
    await expect(pushes()).rejects.toMatchObject({ code: "foreign_commits" });
    await harness.worktrees.prepare(ref(), { base: null, reusePushed: true });
    await commits("b.txt");
    await pushes();
    expect(await subjects()).toEqual(["Add b.txt", "work", "Add a.txt"]);
    expect(await subjects(theirs)).toEqual(["work", "Add a.txt"]);
  });

  it("is a checkpoint, and the work continues without knowing, also where it was taken back", async () => {
    await harness.write(REF.name, "open.txt", "open\n");
    harness.server.loseAnswer(how);
    const saved = await harness.worktrees.checkpoint(ref());
    expect(saved).toMatchObject({ pushed: false });
    expect(await harness.server.git(harness.fullName, "rev-parse", CHECKPOINT)).toBe(saved?.commit);
    expect(await harness.worktrees.checkpoint(ref())).toMatchObject({ pushed: true });
    await harness.worktrees.commit(ref(), { message: "Add open.txt", author: AUTHOR });
    await pushes();
    harness.server.loseAnswer(how);
    expect(await harness.worktrees.remove(ref(), { base: "main" })).toEqual({ archive: null });
    const refs = await harness.server.git(harness.fullName, "for-each-ref", "--format=%(refname)");
    expect(refs).not.toContain(CHECKPOINT);
  });

  it("is the merge queue's, and its merge is there once", async () => {
    const { commit: expected } = await pushes();
    await harness.serverCommit("main", { "base.txt": "base\n" });
    const update = () =>
      harness.worktrees.updateBranch(harness.repository, {
        branch: REF.branch,
        base: "main",
        expected,
        author: AUTHOR,
      });
    harness.server.loseAnswer(how);
    await expect(update()).rejects.toMatchObject(LOST[how]);
    const taken = await harness.serverHead(REF.branch);
    expect(taken).not.toBe(expected);
    expect(await update()).toEqual({ kind: "updated", commit: taken });
    expect(await subjects()).toHaveLength(2);
  });
});
