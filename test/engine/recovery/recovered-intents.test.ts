import { expect, it } from "vitest";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { asks, questionOf } from "../asking.ts";
import { agentOf, commentsOn, historyOf, runOf, taskOf, toldTo } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { labeled } from "../people.ts";
import { coding, ROLES, ran, reviewersOf, reviewing, verdict, verdictsOf } from "../reviewer-rig.ts";
import { aRig, type Rig, type RigOptions } from "../rig.ts";
import { blocked, commit, complete, edit, escalate, on, openPr, replan, review } from "../scripts.ts";

/** The process dies when the intent of that place in the story is recorded; the next start has looked after it, and no more. */
async function killedOver(options: RigOptions, place = 1): Promise<Rig> {
  const rig = await aRig(options);
  let met = 0;
  rig.onCrashPoint = (name) => {
    if (name !== "turn:intent") return;
    met += 1;
    if (met === place) rig.life.end();
  };
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it is killed", () => rig.life.over);
  await rig.restart();
  return rig;
}

const killedAt = (...steps: Parameters<typeof on>[1][]) => killedOver({ script: [on(1, ...steps)] });

it.each([
  ["a block", [blocked(2)], { state: "SLEEPING", sleepReason: "blocked", blockedBy: [2] }, "waiting_agent"],
  ["a need of a person", [escalate], { state: "ESCALATED", category: "decision" }, "waiting_input"],
  ["a need of replanning", [replan()], { state: "ESCALATED", category: "replanning" }, "waiting_input"],
  ["a question", [asks()], { state: "SLEEPING", sleepReason: "question" }, "waiting_input"],
] as const)("a start after a kill applies %s, and wakes nobody for it", async (_, steps, agent, run) => {
  const rig = await killedAt(edit(), ...steps);
  const { id } = await agentOf(rig);
  expect(await agentOf(rig)).toMatchObject({ ...agent, wakes: 0 });
  expect((await runOf(rig))?.state).toBe(run);
  expect(await rig.store.wakes.pending(id)).toEqual([]);
  expect(await rig.store.intents.recorded(id)).toBeUndefined();
  await rig.idle();
  expect(toldTo(rig)).toHaveLength(1);
  expect(commentsOn(rig)).toHaveLength(1);
});

it("blocks the task with a need of replanning, and keeps the question", async () => {
  expect((await taskOf(await killedAt(edit(), replan())))?.state).toBe("BLOCKED");
  const rig = await killedAt(edit(), asks());
  expect(await questionOf(rig)).toMatchObject({ state: "OPEN", text: "Which licence shall it have?" });
});

it.each([
  ["a claim", complete, { state: "COMPLETED" }],
  ["a request for a review", review, { state: "SLEEPING", sleepReason: "review" }],
] as const)(
  "a start after a kill brings %s to its check, before the agent hears a word",
  async (_, step, end) => {
    const rig = await killedAt(edit(), commit, openPr, step);
    expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "restart" });
    expect(await runOf(rig)).toMatchObject({ state: "evaluating", iteration: 1 });
    await rig.pass(0);
    expect(await agentOf(rig)).toMatchObject(end);
    expect(await runOf(rig)).toMatchObject({ iteration: 1 });
    expect(toldTo(rig)).toHaveLength(1);
  },
);

it("a start after a kill takes a verdict, and its reviewer is done", async () => {
  const script = [coding(1), reviewing(1, ran(), verdict("approve"))];
  const rig = await killedOver({ settings: { roles: ROLES }, script }, 2);
  expect(await verdictsOf(rig)).toMatchObject([{ approves: true }]);
  expect((await taskOf(rig))?.state).toBe("APPROVED");
  expect(await reviewersOf(rig)).toMatchObject([{ state: "COMPLETED" }]);
});

it("an intent that cannot be looked at now stays recorded, and its agent rests", async () => {
  const rig = await aRig({ script: [on(1, edit(), blocked(2))] });
  rig.onCrashPoint = (name) => {
    if (name === "turn:intent") rig.life.end();
  };
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it is killed", () => rig.life.over);
  const issue = methodOf(rig.github, "issue");
  rig.github.issue = async () => {
    throw new GitHubError("unavailable", "GitHub answers 503", 503, { consequence: "retry" });
  };
  await rig.restart();
  const { id } = await agentOf(rig);
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "restart" });
  expect(await rig.store.intents.recorded(id)).toMatchObject({ kind: "report_blocked" });
  expect(rig.logged).toContainEqual({ level: "warn", message: "recorded intent not applied yet" });
  rig.github.issue = issue;
  await rig.pass(0);
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "blocked" });
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "SLEEPING", "ACTIVE", "SLEEPING"]);
  expect(toldTo(rig)).toHaveLength(1);
});
