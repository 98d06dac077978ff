import type { Milestone } from "../../../src/domain/planning/milestone.ts";
import { MINUTE } from "../../factories/moment.ts";
import { runOf } from "../look.ts";
import { labeled, tell } from "../people.ts";
import { milestoned, partChanged } from "../plans.ts";
import { aRig, REPOSITORY, type Rig, type RigOptions } from "../rig.ts";
import { blocked, edit, on, slowly, work } from "../scripts.ts";

export const slow = on(1, edit(), slowly(30 * MINUTE, edit()), ...work);

const FIRST: Milestone = { number: 2, title: "First release", dueOn: null };
const SECOND: Milestone = { number: 3, title: "Second release", dueOn: null };

/** The states of the sprints: of that without a goal, and of the goal's. */
export const sprints = async (rig: Rig) =>
  (await rig.store.records.find("sprint", { repositoryId })).map(({ state }) => state);

export const repositoryId = REPOSITORY.id;
export const decided = async (rig: Rig, issue: number) =>
  (await rig.store.decisions.ofIssue(repositoryId, issue, 100))
    .filter(({ rule }) => rule === "operator_file")
    .map(({ reason }) => reason)
    .toReversed();

/** Lets a second pass, as between two looks. */
export async function look(rig: Rig): Promise<void> {
  rig.clock.advance(1000);
  await rig.engine.tick();
}

export async function atWork(): Promise<Rig> {
  const rig = await aRig({ script: [slow] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it works", async () => (await runOf(rig))?.state === "executing");
  return rig;
}

/** Two sprints: one without a goal, and one of the goal of issue 3 with an agent at work on issue 1. */
export async function twoSprints(options: RigOptions = {}): Promise<Rig> {
  const apart = on(5, edit(), slowly(30 * MINUTE, edit()), ...work);
  const rig = await aRig({ script: [slow, on(4, blocked(9)), apart], issues: 9, ...options });
  for (const number of [1, 3]) milestoned(rig, number, FIRST);
  milestoned(rig, 4, SECOND);
  await tell(rig, labeled(rig, 3, { label: "goal" }));
  await tell(rig, partChanged(rig, 3, 1));
  await tell(rig, labeled(rig, 4));
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it works", async () => (await runOf(rig))?.state === "executing");
  return rig;
}
