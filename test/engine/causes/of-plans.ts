import type { OF_PLANS } from "../../../src/domain/decisions/rules.ts";
import { labeled, said, tell } from "../people.ts";
import { milestoneChanged, milestoned } from "../plans.ts";
import { type Cause, caused } from "./cause.ts";

const FIRST = { number: 2, title: "First release", dueOn: null };

const ofGoal = (command: string): Cause =>
  caused({}, async (rig) => {
    await tell(rig, labeled(rig, 1, { label: "goal" }), said(rig, 1, command));
  });

/** A real cause of each decision about goals and sprints. */
export const CAUSES_OF_PLANS: Readonly<Record<keyof typeof OF_PLANS, Cause>> = {
  goal_issue: caused({}, (rig) =>
    tell(rig, labeled(rig, 1, { label: "goal" }), labeled(rig, 1, { label: "feature" })),
  ),
  goal_known: caused({}, (rig) =>
    tell(rig, labeled(rig, 1, { label: "goal" }), labeled(rig, 1, { label: "goal" })),
  ),
  milestone_followed: caused({}, (rig) => tell(rig, milestoned(rig, 1, FIRST))),
  no_sprint: ofGoal("/flotilla checkpoint"),
  operator_file: caused({}, async (rig) => {
    milestoned(rig, 1, FIRST);
    await tell(rig, labeled(rig, 1));
    rig.operatorFiles.create("CHECKPOINT");
    await rig.engine.tick();
  }),
  sprint_stands: caused({}, async (rig) => {
    milestoned(rig, 1, FIRST);
    await tell(rig, labeled(rig, 1), milestoneChanged(rig, FIRST, "closed"));
    await tell(rig, milestoneChanged(rig, FIRST, "closed"));
  }),
  tracking_issue: caused({}, (rig) => tell(rig, said(rig, 1, "/flotilla abort"))),
};
