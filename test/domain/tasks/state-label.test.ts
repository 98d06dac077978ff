import { expect, it } from "vitest";
import { NEW } from "../../../src/domain/kernel/state-machine.ts";
import {
  isFirstWork,
  isStateLabel,
  labelChange,
  needsHumanChange,
  showsFirstWork,
  stateLabel,
} from "../../../src/domain/tasks/state-label.ts";
import { stateLabelComment, stateLabelKey } from "../../../src/domain/tasks/state-label-comment.ts";
import { TASK_STATES } from "../../../src/domain/tasks/task-record.ts";

it("a state is shown in lower case with dashes", () => {
  expect(stateLabel("READY_FOR_REVIEW")).toBe("flotilla:ready-for-review");
  expect(TASK_STATES.map(stateLabel).every(isStateLabel)).toBe(true);
  expect(["Flotilla:Merged", "flotilla:"].map(isStateLabel)).toEqual([true, true]);
  expect(["flotilla", "bug", "my flotilla:x"].map(isStateLabel)).toEqual([false, false, false]);
});

it.each([
  ["where it is missing", ["bug"], "CLAIMED", "flotilla:claimed", []],
  [
    "instead of the old one",
    ["bug", "flotilla:unclaimed"],
    "CLAIMED",
    "flotilla:claimed",
    ["flotilla:unclaimed"],
  ],
  ["not twice, however it is written", ["Flotilla:Claimed"], "CLAIMED", null, []],
  ["alone, whatever else people put", ["flotilla:claimed", "flotilla:x"], "CLAIMED", null, ["flotilla:x"]],
  ["not at all where there never was a task", ["flotilla:merged"], null, null, ["flotilla:merged"]],
] as const)("the label is put %s", (_, labels, state, add, remove) => {
  expect(labelChange(labels, state)).toEqual({ add: add === null ? [] : [add], remove });
});

it.each([
  [NEW, "UNCLAIMED", true],
  ["UNCLAIMED", "CLAIMED", true],
  ["DRAFT", "UNCLAIMED", false],
  ["REJECTED", "CLAIMED", false],
  ["CLAIMED", "READY_FOR_REVIEW", false],
] as const)("a move from %s to %s is the first work on an issue: %s", (from, to, expected) => {
  expect(isFirstWork(from, to)).toBe(expected);
});

it.each([
  [{ add: ["flotilla:claimed"], remove: [] }, true],
  [{ add: ["flotilla:claimed", "needs-human"], remove: [] }, false],
  [{ add: ["flotilla:claimed"], remove: ["flotilla:ready-for-review"] }, false],
  [{ add: [], remove: [] }, false],
])("the labels %j show the first work alone: %s", (change, expected) => {
  expect(showsFirstWork(change)).toBe(expected);
});

it("the label for a person is put once where it is needed, and taken away where it is not", () => {
  const label = "needs-human";
  expect(needsHumanChange(["bug"], { label, needed: true })).toEqual({ add: [label], remove: [] });
  expect(needsHumanChange(["Needs-Human"], { label, needed: true })).toEqual({ add: [], remove: [] });
  const there = ["bug", "Needs-Human"];
  expect(needsHumanChange(there, { label, needed: false })).toEqual({ add: [], remove: ["Needs-Human"] });
  expect(needsHumanChange(["bug"], { label, needed: false })).toEqual({ add: [], remove: [] });
});

it.each([true, false])("what earlier versions put beside that label is taken away (needed: %j)", (needed) => {
  const labels = ["Escalation:Review_Deadlock", "escalation:other", "escalation:sev1"];
  const { remove } = needsHumanChange(labels, { label: "needs-human", needed });
  expect(remove).toEqual(["Escalation:Review_Deadlock", "escalation:other"]);
});

it("who puts a label of ours reads that it only shows, and which command does it", () => {
  const said = stateLabelComment("flotilla:abandoned", { by: "alice", added: true });
  expect(said).toContain("@alice put the label `flotilla:abandoned`. Flotilla removed it");
  expect(said).toContain("To change the state: `/flotilla cancel` ends the work");
  expect(stateLabelComment("flotilla:`x`\n@eve", { by: "bob", added: true })).toContain("`flotilla: x @eve`");
});

it("who removes one reads that it was put back, and how the work is moved", () => {
  const said = stateLabelComment("flotilla:claimed", { by: "alice", added: false });
  expect(said).toContain("removed the label `flotilla:claimed`. Flotilla restored it");
  expect(said).toContain("`/flotilla start`, `release` and `cancel`");
});

it("the answer is one for each label of ours and each way, and one for all others", () => {
  expect(stateLabelKey("Flotilla:Merged", true)).toBe("state-label-put-merged");
  expect(stateLabelKey("flotilla:merged", false)).toBe("state-label-removed-merged");
  expect(stateLabelKey("flotilla:toString", true)).toBe("state-label-put-other");
});
