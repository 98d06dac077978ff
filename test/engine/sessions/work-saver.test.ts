import { expect, it } from "vitest";
import { GitError } from "../../../src/domain/kernel/errors.ts";
import { agentOf, decisionsOn, stateOf } from "../../engine/look.ts";
import { MINUTE } from "../../factories/moment.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { commit, complete, edit, on, openPr, slowly } from "../scripts.ts";

const REFUSED = new GitError("protected", "the server's rules refuse refs/flotilla", { consequence: "tell" });
const LONG = 20 * MINUTE;
/** One edit, then a call that takes long, with the agent at work all the time. */
const script = [on(1, edit("feature.ts", "one"), slowly(LONG, commit), openPr, complete)];
const NAME = "feat-dev-issue-1";

async function atWork(more: Parameters<typeof aRig>[0] = {}): Promise<Rig> {
  const rig = await aRig({ script, ...more });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("the file is written", () => rig.worktrees.read(NAME, "feature.ts") !== null);
  return rig;
}

const known = async (rig: Rig) => rig.store.checkpoints.get((await agentOf(rig)).id);
const isSent = (rig: Rig) => async () => (await known(rig))?.pushed != null;
const reasons = async (rig: Rig, rule: string) =>
  (await rig.store.decisions.ofIssue(7, 1, 100)).filter((row) => row.rule === rule).map((row) => row.reason);

it("saves and sends the work after a turn that changed a file, and not again while nothing changes", async () => {
  const rig = await atWork();
  await rig.until("it is sent", isSent(rig));
  const row = await known(rig);
  expect(row).toMatchObject({ pushed: row?.commit, token: 1, fault: null });
  const made = rig.worktrees.checkpointed.length;
  await rig.work(8 * MINUTE);
  expect(rig.worktrees.checkpointed).toHaveLength(made);
  expect(await known(rig)).toEqual(row);
});

it("saves each minute what changes within a turn", async () => {
  const rig = await atWork();
  await rig.until("it is sent", isSent(rig));
  const first = await known(rig);
  rig.worktrees.write(NAME, "feature.ts", "two");
  await rig.work(2 * MINUTE);
  await rig.until("it is sent", async () => (await known(rig))?.pushed !== first?.pushed);
  expect((await known(rig))?.madeAt).toBeGreaterThan(first?.madeAt ?? 0);
});

it("brings back the work of a machine that is lost with its agent, and says what may be missing", async () => {
  const rig = await atWork();
  await rig.until("it is sent", isSent(rig));
  rig.life.end();
  rig.worktrees.loseMirror();
  await rig.restart();
  await rig.until("it is told", async () => (await reasons(rig, "worktree_rebuilt")).length > 0);
  expect(rig.worktrees.read(NAME, "feature.ts")).toBe("one");
  expect(await reasons(rig, "worktree_rebuilt")).toEqual([
    expect.stringMatching(
      /^the worktree of feat-dev-issue-1 was gone .* its checkpoint of .*; what it changed after that/,
    ),
  ]);
  await rig.work(2 * LONG);
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(JSON.stringify(rig.runtime.requests)).toContain("Look at your files before you go on");
});

it("says once that the server refuses checkpoints, tries again later, and says why the work is lost", async () => {
  const rig = await aRig({ script });
  rig.worktrees.refuseCheckpoints(REFUSED);
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it is told", async () => (await decisionsOn(rig)).includes("checkpoint_refused"));
  rig.worktrees.write(NAME, "feature.ts", "two");
  await rig.work(5 * MINUTE);
  expect(await reasons(rig, "checkpoint_refused")).toEqual([
    "the git server did not take the checkpoint of feat-dev-issue-1, so its work that is not pushed is on this machine only: the server's rules refuse refs/flotilla",
  ]);
  expect(await agentOf(rig)).toMatchObject({ state: "ACTIVE", restarts: 0 });
  rig.life.end();
  rig.worktrees.loseMirror();
  await rig.restart();
  await rig.until("it is told", async () => (await decisionsOn(rig)).includes("worktree_rebuilt"));
  expect(await reasons(rig, "worktree_rebuilt")).toEqual([
    "the worktree of feat-dev-issue-1 was gone and is made again from the base branch; what it had not committed, if anything, is lost. Its work was in no checkpoint on the server: the server's rules refuse refs/flotilla",
  ]);
});

it("sends what was refused once the server takes it", async () => {
  const rig = await aRig({ script });
  rig.worktrees.refuseCheckpoints(REFUSED);
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it is told", async () => (await decisionsOn(rig)).includes("checkpoint_refused"));
  rig.worktrees.refuseCheckpoints(null);
  await rig.work(8 * MINUTE);
  await rig.until("it is sent", isSent(rig));
  expect(await known(rig)).toMatchObject({ fault: null });
});

it("saves nothing of work that holds what looks like a secret", async () => {
  const secret = `key = "ghp_${"a1B2".repeat(9)}"`;
  const rig = await atWork({ script: [on(1, edit("feature.ts", secret), slowly(LONG, commit))] });
  await rig.until("it is seen", async () => (await known(rig)) !== undefined);
  await rig.work(4 * MINUTE);
  expect(rig.worktrees.checkpointed).toEqual([]);
  expect(await known(rig)).toMatchObject({ commit: null, fault: expect.stringContaining("like a secret") });
});

it("keeps the level: nothing is sent from where work may not leave", async () => {
  const rig = await atWork({ settings: { level: "comment" } });
  await rig.until("it is saved", async () => (await known(rig))?.fault != null);
  await rig.work(4 * MINUTE);
  expect(await known(rig)).toMatchObject({ pushed: null, fault: expect.stringContaining("comment") });
  expect(await decisionsOn(rig)).not.toContain("checkpoint_refused");
});

it("leaves the row of a later period alone", async () => {
  const rig = await atWork();
  await rig.until("it is sent", isSent(rig));
  const row = await known(rig);
  if (row === undefined) throw new Error("there is no row");
  await rig.store.checkpoints.put({ ...row, token: 2, commit: "f".repeat(40) });
  rig.worktrees.write(NAME, "feature.ts", "two");
  await rig.work(4 * MINUTE);
  expect(await known(rig)).toMatchObject({ token: 2, commit: "f".repeat(40) });
  await tell(rig, said(rig, 1, "/flotilla cancel"));
});
