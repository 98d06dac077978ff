import { stateLabel } from "../../src/domain/tasks/state-label.ts";
import { TASK_STATES } from "../../src/domain/tasks/task-record.ts";

/** Labels that the rig's GitHub is given by us, with their colours. */
export const OUR_LABELS = {
  "needs-human": "d93f0b",
  p1: "ff0000",
  ...Object.fromEntries(TASK_STATES.map((state) => [stateLabel(state), "ededed"])),
};
