import { expect, it } from "vitest";
import { MINUTE } from "../../factories/moment.ts";
import { randomOf, shuffled } from "../../random.ts";
import { taskOf } from "../look.ts";
import { labeled, pushed } from "../people.ts";
import { BRANCH, coding, ROLES, ran, reviewersOf, reviewing, verdict, verdictsOf } from "../reviewer-rig.ts";
import { aRig, type Rig } from "../rig.ts";
import { slowly } from "../scripts.ts";

const MOMENTS = ["waiting", "looking", "intent", "applied"] as const;
type Moment = (typeof MOMENTS)[number];

/** The commit of somebody else that each moment brings, once. */
async function lives(
  seed: number,
  moments: readonly Moment[],
): Promise<{ readonly rig: Rig; readonly left: ReadonlySet<string> }> {
  const random = randomOf(seed);
  const says = random() < 0.5 ? "approve" : "reject";
  const rig = await aRig({
    settings: { roles: ROLES },
    script: [coding(1), reviewing(1, slowly(MINUTE, ran()), slowly(MINUTE, verdict(says)))],
  });
  const left = new Set<string>(moments);
  let pushes = 0;
  const due: Promise<void>[] = [];
  const push = (moment: Moment): void => {
    if (!left.delete(moment)) return;
    pushes += 1;
    due.push(rig.engine.handle(pushed(rig, BRANCH, { [`by-hand-${pushes}.ts`]: moment })));
  };
  let intents = 0;
  rig.onCrashPoint = (point) => {
    if (point === "effect:offer_review") push("waiting");
    if (point === "turn:message" && intents > 0) push("looking");
    if (point === "turn:intent") intents += 1;
    if (point === "turn:intent" && intents > 1) push("intent");
    if (point === "effect:publish_verdict") push("applied");
  };
  await rig.engine.handle(labeled(rig, 1));
  for (let round = 0; round < 14; round += 1) {
    await Promise.all(due.splice(0));
    await rig.work(MINUTE);
    await rig.quiet();
  }
  return { rig, left };
}

it.each([1, 2, 3, 4])(
  "is one terminal verdict of a reviewer on a commit, and none on a stale one, whenever commits come (seed %i)",
  async (seed) => {
    const random = randomOf(seed * 977);
    const { rig, left } = await lives(seed, shuffled(MOMENTS, random).slice(0, 1 + Math.floor(random() * 4)));
    expect(left).toEqual(new Set());
    const verdicts = await verdictsOf(rig);
    const task = await taskOf(rig);
    expect(verdicts.length).toBeGreaterThan(0);
    const commits = verdicts.map(({ commit, reviewer }) => `${reviewer} ${commit}`);
    expect(new Set(commits).size).toBe(commits.length);
    // What counts is of the commit under review; what was given was given of the commit that was so then.
    const moves = await rig.store.transitions.ofIssue(7, 1, 500);
    const counted = verdicts.filter(({ state }) => state === "current");
    for (const { commit } of counted) expect(commit).toBe(task?.reviewCommit);
    for (const { commit } of task?.verdicts ?? []) expect(commit).toBe(task?.reviewCommit);
    const given = moves.filter(
      ({ machine, event }) => machine === "task" && /^(APPROVE|REJECT)$/.test(event),
    );
    expect(given).toHaveLength(verdicts.length);
    const live = (await reviewersOf(rig)).filter(({ state }) => !["COMPLETED", "CANCELLED"].includes(state));
    expect(live).toEqual([]);
  },
);
