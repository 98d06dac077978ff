import { expect, it } from "vitest";
import { MINUTE } from "../../factories/moment.ts";
import { agentOf, commentsOn, decisionsOn, stateOf, toldTo } from "../look.ts";
import { labeled, pushed, said, tell } from "../people.ts";
import { aRig, REPOSITORY, type Rig } from "../rig.ts";
import { blocked, commit, complete, edit, on, openPr, slowly } from "../scripts.ts";

const BRANCH = "flotilla/feat-dev/issue-1";

/** An agent that has pushed once and is in the middle of its next turn. */
async function atWork(...next: Parameters<typeof on>[1][]): Promise<Rig> {
  const rig = await aRig({ script: [on(1, edit(), commit, ...next)] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it has pushed", () => rig.worktrees.serverHead(BRANCH) !== null);
  return rig;
}

it("pauses the agent at once, says so in one comment, and continues on top of the person's work when told to", async () => {
  const rig = await atWork(slowly(MINUTE, edit("second.ts")), commit, openPr, complete);
  await rig.until("it thinks", () => rig.runtime.requests.length === 3);
  rig.worktrees.write("feat-dev-issue-1", "unsaved.ts", "mine");
  await tell(rig, pushed(rig, BRANCH, { "theirs.ts": "one" }, { by: "bob" }));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "paused", heldBy: ["commit"] });
  expect(rig.runtime.running.size).toBe(0);
  const second = pushed(rig, BRANCH, { "theirs.ts": "two" }, { by: "bob" });
  await tell(rig, second);
  expect(commentsOn(rig)).toHaveLength(1);
  expect(commentsOn(rig)[0]).toMatch(/@bob pushed.*`\/flotilla resume`.*`\/flotilla release`/s);
  expect(rig.worktrees.serverHead(BRANCH)).toBe(second.tip);

  await rig.engine.handle(said(rig, 1, "/flotilla resume"));
  await rig.until("it is told", () => toldTo(rig).some((text) => text.includes("Keep their work")));
  expect(rig.worktrees.read("feat-dev-issue-1", "theirs.ts")).toBe("two");
  expect(rig.worktrees.read("feat-dev-issue-1", "unsaved.ts")).toBe("mine");
  await rig.work(5 * MINUTE);
  await rig.idle();
  expect(await stateOf(rig)).toBe("COMPLETED");
  const ref = { repository: REPOSITORY, name: "feat-dev-issue-1", branch: BRANCH };
  const head = rig.worktrees.serverHead(BRANCH) ?? "";
  const { files } = await rig.worktrees.inspect(ref, { commit: head, base: "main" });
  expect([...files].toSorted()).toEqual(["feature.ts", "second.ts", "theirs.ts", "unsaved.ts"]);
});

it("finds commits of which no webhook told when it pushes, and pushes nothing over them", async () => {
  const rig = await aRig({ script: [on(1, edit(), commit, edit("second.ts"), commit, complete)] });
  let pushes = 0;
  let theirs = "";
  rig.onCall = (call) => {
    if (call !== "worktrees.push" || ++pushes !== 2) return;
    theirs = rig.worktrees.serverCommit(BRANCH, { "theirs.ts": "one" });
  };
  await tell(rig, labeled(rig, 1));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", heldBy: ["commit"] });
  expect(rig.worktrees.serverHead(BRANCH)).toBe(theirs);
  expect(commentsOn(rig).join()).toContain("its branch has commits on GitHub that somebody else pushed");
  expect(await decisionsOn(rig)).toContain("effect_failed");
});

it("holds an agent that sleeps for something else, until a person lets it continue", async () => {
  const rig = await aRig({ script: [on(1, edit(), commit, blocked(2))] });
  await tell(rig, labeled(rig, 1));
  await tell(rig, pushed(rig, BRANCH, { "theirs.ts": "one" }));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "blocked", heldBy: ["commit"] });
  expect(commentsOn(rig).filter((body) => body.includes("is paused: @alice pushed"))).toHaveLength(1);
  await tell(rig, said(rig, 1, "/flotilla resume"));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", heldBy: [] });
});
