import { NEW } from "../kernel/state-machine.ts";
import { isEscalationLabel, isOldCategoryLabel } from "./escalation.ts";
import type { TaskState } from "./task-record.ts";

const PREFIX = "flotilla:";

/**
 * Returns the one label that shows the state of an issue's task: `flotilla:ready-for-review`. A projection; the
 * database is the truth.
 */
export function stateLabel(state: TaskState): string {
  return `${PREFIX}${state.toLowerCase().replaceAll("_", "-")}`;
}

/**
 * Returns true for a label that Flotilla manages, with any name after the colon; case does not matter, as on GitHub.
 */
export function isStateLabel(label: string): boolean {
  return label.toLowerCase().startsWith(PREFIX);
}

export interface LabelChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/**
 * Returns the changes after which the issue has the label of its task and no other; `state` null where it never had a
 * task.
 */
export function labelChange(labels: readonly string[], state: TaskState | null): LabelChange {
  const wanted = state === null ? null : stateLabel(state);
  const there = labels.filter(isStateLabel);
  return {
    add: wanted === null || there.some((label) => label.toLowerCase() === wanted) ? [] : [wanted],
    remove: there.filter((label) => label.toLowerCase() !== wanted),
  };
}

/**
 * Returns whether nobody has to act on this move of a task, which only leads to the first work on it. The status comment says
 * it at once, and the label follows where it is still so after a while.
 */
export function isFirstWork(from: string, to: TaskState): boolean {
  return to === "UNCLAIMED" ? from === NEW : to === "CLAIMED" && from === "UNCLAIMED";
}

/** Returns whether the only change is to show what `isFirstWork` is about. */
export function showsFirstWork({ add, remove }: LabelChange): boolean {
  const first = [stateLabel("UNCLAIMED"), stateLabel("CLAIMED")];
  return remove.length === 0 && add.length > 0 && add.every((label) => first.includes(label));
}

/** Returns the changes for the one label of issues that wait for a person; removes what earlier versions set beside it. */
export function needsHumanChange(
  labels: readonly string[],
  { label, needed }: { readonly label: string; readonly needed: boolean },
): LabelChange {
  const there = labels.filter((one) => isEscalationLabel(one, label));
  return {
    add: needed && there.length === 0 ? [label] : [],
    remove: [...(needed ? [] : there), ...labels.filter(isOldCategoryLabel)],
  };
}
