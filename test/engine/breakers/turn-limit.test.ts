import { expect, it } from "vitest";
import { limitsOf } from "../limits-of.ts";
import { agentOf, commentsOn, runOf, stateOf, taskOf, toldTo } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, commit, edit, on, openPr, work } from "../scripts.ts";

/** An agent that has pushed and opened its pull request when its three turns are used. */
async function atTheLimit(): Promise<Rig> {
  const script = [
    on(1, edit(), commit, openPr, after("You are awake again", edit("more.ts")), ...work.slice(1)),
  ];
  const rig = await aRig({ settings: limitsOf({ maxTurns: 3 }), script });
  await tell(rig, labeled(rig, 1));
  return rig;
}

it("shows people the choices, and waits without a process", async () => {
  const rig = await atTheLimit();
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "approval", turns: 3 });
  expect((await runOf(rig))?.state).toBe("waiting_approval");
  expect(rig.runtime.running.size).toBe(0);
  for (const choice of ["/flotilla continue", "/flotilla complete", "/flotilla cancel"])
    expect(commentsOn(rig).join()).toContain(choice);
});

it("continues by continue with as many turns as were said", async () => {
  const rig = await atTheLimit();
  await tell(rig, said(rig, 1, "/flotilla continue 9"));
  expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", extraTurns: 9 });
  expect(toldTo(rig)[1]).toContain("@alice says: continue.");
});

it("takes the work as it is by complete: the run by a person's word, the task up for review", async () => {
  const rig = await atTheLimit();
  await tell(rig, said(rig, 1, "/flotilla complete"));
  expect(await stateOf(rig)).toBe("COMPLETED");
  const moves = await rig.store.transitions.ofAgent((await agentOf(rig)).id);
  expect(moves.filter(({ machine }) => machine === "run").at(-1)).toMatchObject({
    event: "COMPLETE",
    to: "succeeded",
    actor: "alice",
  });
  expect((await taskOf(rig))?.state).toBe("READY_FOR_REVIEW");
});

it("ends by cancel: the run is cancelled and the task free", async () => {
  const rig = await atTheLimit();
  await tell(rig, said(rig, 1, "/flotilla cancel"));
  expect(await stateOf(rig)).toBe("CANCELLED");
  expect((await runOf(rig))?.state).toBe("cancelled");
  expect((await taskOf(rig))?.state).toBe("UNCLAIMED");
});

it("has nothing to approve or deny: that is said in a decision", async () => {
  const rig = await atTheLimit();
  await tell(rig, said(rig, 1, "/flotilla approve"));
  expect(await stateOf(rig)).toBe("SLEEPING");
  const [decision] = await rig.store.decisions.ofIssue(7, 1, 1);
  expect(decision).toMatchObject({
    rule: "nothing_asked",
    change: expect.stringContaining("/flotilla continue"),
  });
});
