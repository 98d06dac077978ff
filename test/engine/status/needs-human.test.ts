import { expect, it } from "vitest";
import { MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { asks } from "../asking.ts";
import { limitsOf } from "../limits-of.ts";
import { agentOf, stateOf, statusComments, taskOf } from "../look.ts";
import { approvedWork, merging } from "../merge-queue-rig.ts";
import { issueOf, labeled, pullClosed, pushed, said, tell, unlabeled } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import {
  after,
  blocked,
  call,
  commit,
  complete,
  edit,
  escalate,
  on,
  openPr,
  slowly,
  work,
} from "../scripts.ts";
import { act } from "../under-operation.ts";

const isMarked = (rig: Rig) => issueOf(rig, 1).labels.includes("needs-human");

async function atTheLimit(): Promise<Rig> {
  const script = [
    on(1, edit(), commit, openPr, after("You are awake again", edit("more.ts")), ...work.slice(1)),
  ];
  const rig = await aRig({ settings: limitsOf({ maxTurns: 3 }), script });
  await tell(rig, labeled(rig, 1));
  return rig;
}

it("marks an issue at a limit until the work is merged: it waits for the limit, the review and the merge", async () => {
  const rig = await atTheLimit();
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect(isMarked(rig)).toBe(true);
  await rig.engine.operations.continue(act);
  await rig.idle();
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", turns: 6, extraTurns: 3 });
  await tell(rig, said(rig, 1, "/flotilla continue 9"));
  expect((await taskOf(rig))?.state).toBe("READY_FOR_REVIEW");
  expect(isMarked(rig)).toBe(true);
  const pull = (await agentOf(rig)).prNumber ?? 0;
  await tell(rig, pullClosed(rig, pull, { by: "bob", merged: true }));
  expect((await taskOf(rig))?.state).toBe("MERGED");
  expect(isMarked(rig)).toBe(false);
});

it("takes the work as it is at the operator's complete, and refuses both where there is nothing to decide", async () => {
  const rig = await atTheLimit();
  await rig.engine.operations.complete(act);
  await rig.idle();
  expect(await stateOf(rig)).toBe("COMPLETED");
  for (const operation of ["continue", "complete"] as const)
    await expect(rig.engine.operations[operation]({ ...act, id: "a2" })).rejects.toMatchObject({
      message: expect.stringContaining("COMPLETED"),
    });
});

it("does not continue what is held, and says what ends that", async () => {
  const rig = await atTheLimit();
  await rig.engine.operations.pause({ ...act, id: "p" });
  await expect(rig.engine.operations.continue(act)).rejects.toMatchObject({
    fault: { code: "held", hint: expect.stringContaining("/flotilla resume") },
  });
});

it("puts the label back where it shows only that something waits", async () => {
  const rig = await atTheLimit();
  await tell(rig, unlabeled(rig, 1, "needs-human"));
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect(isMarked(rig)).toBe(true);
});

it("leaves an issue alone whose agent continues automatically", async () => {
  const rig = await aRig({ script: [on(1, blocked(3))] });
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect(isMarked(rig)).toBe(false);
});

it("marks approved work until a person merges it, and none that Flotilla has merged", async () => {
  const rig = await approvedWork();
  expect((await taskOf(rig))?.state).toBe("APPROVED");
  expect(isMarked(rig)).toBe(true);
  const merged = await approvedWork({ settings: merging() });
  expect((await taskOf(merged))?.state).toBe("MERGED");
  expect(isMarked(merged)).toBe(false);
});

it("marks an issue on whose branch somebody else pushed until a person has decided", async () => {
  const branch = "flotilla/feat-dev/issue-1";
  const script = [on(1, edit(), commit, slowly(MINUTE, edit("second.ts")), blocked(3), complete)];
  const rig = await aRig({ script });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it thinks", () => rig.runtime.requests.length === 3);
  await tell(rig, pushed(rig, branch, { "theirs.ts": "one" }, { by: "bob" }));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", heldBy: ["commit"] });
  expect(isMarked(rig)).toBe(true);
  await tell(rig, said(rig, 1, "/flotilla cancel"));
  expect(isMarked(rig)).toBe(false);
});

const ASKING = [
  ["a question", asks(), {}],
  [
    "a call that needs a yes",
    call("bash", { command: "curl https://example.com/" }),
    { runtime: { ...someSettings().runtime, permissionMode: "ask" as const } },
  ],
  ["an escalation", escalate, {}],
] as const;

it.each(ASKING)(
  "shows %s at once, although the display of the agent's first work is put off",
  async (_, step, settings) => {
    const rig = await aRig({ settings, script: [on(1, slowly(MINUTE, edit()), commit, openPr, step)] });
    await rig.engine.handle(labeled(rig, 1));
    await rig.until("it talks", () => rig.runtime.requests.length === 1);
    expect(issueOf(rig, 1).labels).not.toContain("flotilla:in-progress");
    rig.clock.advance(MINUTE);
    await rig.idle();
    expect(["SLEEPING", "ESCALATED"]).toContain(await stateOf(rig));
    expect(isMarked(rig)).toBe(true);
    expect(statusComments(rig).at(-1)).not.toMatch(/gets ready|does the work/);
  },
);

it("says of a merge at once that it is done", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  await tell(rig, pullClosed(rig, (await agentOf(rig)).prNumber ?? 0, { by: "bob", merged: true }));
  expect(statusComments(rig).at(-1)).toContain("**Done: #");
  expect(issueOf(rig, 1).labels).toEqual(expect.arrayContaining(["flotilla:merged"]));
  expect(isMarked(rig)).toBe(false);
});
