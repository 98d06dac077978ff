import { expect, it } from "vitest";
import { proved } from "../../proved.ts";
import { agentOf, answersTo, commentsOn, stateOf } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { call, commit, complete, edit, escalate, on, openPr, say } from "../scripts.ts";

const WORKFLOW = ".github/workflows/ci.yml";
const WAIT = say("I wait.");
const TOKEN = "ghp_abcdefghijklmnopqrst";
const pushed = (rig: Rig) => rig.worktrees.serverHead("flotilla/feat-dev/issue-1");
const hashIn = (rig: Rig) => /`commit` `([0-9a-f]{12})`/.exec(commentsOn(rig).join("\n"))?.[1];

it("holds a commit that touches a protected path until a person has approved exactly it, and completes then", async () => {
  const rig = await aRig({
    script: [on(1, edit(WORKFLOW, "on: push"), commit, openPr, commit, openPr, complete)],
  });
  await tell(rig, labeled(rig, 1));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "approval" });
  expect(pushed(rig)).toBeNull();
  expect(answersTo(rig)[1]).toContain("Nothing was committed: a person is asked first");
  expect(commentsOn(rig)[0]).toContain(`"${WORKFLOW}": a protected path`);
  await tell(rig, said(rig, 1, `/flotilla approve ${hashIn(rig)}`));
  expect(pushed(rig)).not.toBeNull();
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("asks nobody about more protected paths than one can be shown, and says so to the agent", async () => {
  const name = "w".repeat(200);
  const edits = Array.from({ length: 20 }, (_, index) =>
    edit(`.github/workflows/${name}${index}.yml`, "on: push"),
  );
  const rig = await aRig({ script: [on(1, ...edits, commit, escalate)] });
  await tell(rig, labeled(rig, 1));
  expect(answersTo(rig).join("\n")).toContain("it holds more than one can be shown at once");
  expect(await rig.store.approvals.asked(1, (await agentOf(rig)).token)).toEqual([]);
  expect(pushed(rig)).toBeNull();
});

it("asks again when anything changed since, and the first approval is good for nothing else", async () => {
  const rig = await aRig({
    script: [
      on(1, edit(WORKFLOW, "on: push"), commit, WAIT, edit(WORKFLOW, "on: issues"), commit, WAIT, escalate),
    ],
  });
  await tell(rig, labeled(rig, 1));
  const first = hashIn(rig);
  await tell(rig, said(rig, 1, "/flotilla approve"));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "approval" });
  expect(pushed(rig)).toBeNull();
  const asked = await rig.store.approvals.asked(1, (await agentOf(rig)).token);
  expect(asked).toHaveLength(1);
  expect(asked[0]?.hash.startsWith(String(first))).toBe(false);
});

it("tells the agent why a person said no, and continues when the change is taken back", async () => {
  const rig = await aRig({
    script: [
      on(
        1,
        edit(WORKFLOW, "on: push"),
        commit,
        WAIT,
        commit,
        edit(WORKFLOW, null),
        edit("feature.ts"),
        commit,
        openPr,
        complete,
      ),
    ],
  });
  await tell(rig, labeled(rig, 1));
  await tell(rig, said(rig, 1, "/flotilla deny CI is ours"));
  expect(answersTo(rig).join("\n")).toContain("A person said no to exactly these changes: CI is ours");
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("lets no secret out: not by a commit, not by a checkpoint, not before a person has approved it", async () => {
  const rig = await aRig({
    script: [on(1, edit("config.ts", `const key = "${TOKEN}";`), commit, WAIT, commit, openPr, complete)],
  });
  await tell(rig, labeled(rig, 1));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "approval" });
  // Its objects could be read by every agent of the repository, also where the server does not get it.
  expect(rig.worktrees.checkpointed).toEqual([]);
  expect(pushed(rig)).toBeNull();
  expect(commentsOn(rig).join("\n")).not.toContain(TOKEN);
  proved({
    promise:
      "A commit with a secret, a protected path or a tricky file waits for a person, bound to its tree",
    test: "test/engine/tasks/held-commits.test.ts",
    figure: "1 commit with a token held, in no checkpoint, 0 left the host",
  });
});

it("does not hold what only the base has", async () => {
  const rig = await aRig({ script: [on(1, edit(), commit, call("comment", { body: "done" }), escalate)] });
  await tell(rig, labeled(rig, 1));
  expect(pushed(rig)).not.toBeNull();
});
