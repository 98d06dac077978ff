import { expect, it } from "vitest";
import { blankGoal } from "../../../src/domain/planning/goal.ts";
import { goalProgress } from "../../../src/domain/planning/goal-progress.ts";
import { blankSprint } from "../../../src/domain/planning/sprint.ts";
import { goalComment, sprintComment } from "../../../src/domain/planning/sprint-comment.ts";
import { taskLists, type WorkFacts } from "../../../src/domain/tasks/work-progress.ts";
import { AT } from "../../factories/moment.ts";
import { anAgent, aTask } from "../../factories/records.ts";

const work: WorkFacts = {
  tasks: [
    aTask({ id: 1, issue: 11, title: "Lamp", state: "MERGED" }),
    aTask({ id: 2, issue: 12, title: "Switch", state: "CLAIMED" }),
    aTask({ id: 3, issue: 13, title: "Bulb", state: "UNCLAIMED" }),
  ],
  agents: [
    anAgent({ id: 1, issue: 11, state: "COMPLETED", prNumber: 21, turns: 4, costMicroUsd: 1_500_000 }),
    anAgent({
      id: 2,
      issue: 12,
      state: "SLEEPING",
      sleepReason: "question",
      turns: 3,
      costMicroUsd: 500_000,
    }),
  ],
  questions: [{ issue: 12, text: "Which\nvoltage?" }],
};
const sprint = {
  ...blankSprint,
  title: "Light",
  state: "CHECKPOINT",
  reason: "its due date passed",
} as const;

it("at a checkpoint a person reads what was done, what is open, what it cost and what is asked", () => {
  expect(sprintComment(sprint, work, 9)).toBe(`The sprint **Light** is at CHECKPOINT: its due date passed.

Its agents at work stop with their work saved; none starts and none wakes.

**Done**

- #11 Lamp: MERGED, pull request #21

**Open**

- #12 Switch: CLAIMED, feat-dev is SLEEPING (question)
- #13 Bulb: UNCLAIMED

Cost so far: $2.00 for 7 turns of 2 agents.

**Open questions**, each to be answered on its issue

- #12: Which voltage?

**Should it continue?** Answer on #9, the goal's tracking issue:

- \`/flotilla continue\` continues it where it stopped; everything that arrived meanwhile is stored
- \`/flotilla abort [why]\` ends the goal with all its sprints and cancels the agents; their branches are kept`);
  expect(sprintComment(sprint, work, null)).toContain("Answer on any issue of the sprint:");
});

it("at its end a sprint says how it ended, and continuing is no news", () => {
  const nothing: WorkFacts = { tasks: [], agents: [], questions: [] };
  expect(sprintComment({ ...sprint, state: "COMPLETED", reason: null }, nothing, null)).toBe(
    "The sprint **Light** is COMPLETED.\n\nAll its tasks have ended.\n\nCost so far: $0.00 for 0 turns of 0 agents.",
  );
  expect(sprintComment({ ...sprint, state: "ABORTED", reason: "too late" }, nothing, 9)).toContain(
    "is ABORTED: too late.\n\nIts agents are cancelled; their branches are kept.",
  );
  expect(sprintComment({ ...sprint, state: "IN_PROGRESS" }, work, 9)).toBeNull();
});

it("a goal says how it ended, and nothing before", () => {
  const goal = { ...blankGoal, title: "Nights" };
  expect(goalComment(goal, work)).toBeNull();
  expect(goalComment({ ...goal, state: "COMPLETED" }, work)).toContain("The goal **Nights** is COMPLETED.\n");
  expect(goalComment({ ...goal, state: "ABORTED", reason: "no budget" }, work)).toContain(
    "is ABORTED: no budget.\n\nIts sprints are ABORTED and their agents cancelled",
  );
});

it("shows in the status comment how far the goal has come, and how it is steered while it lasts", () => {
  const goal = { ...blankGoal, issue: 9, title: "Nights" };
  const facts = { ...work, goal, sprints: [sprint], subIssues: 5, openSubIssues: 2 };
  expect(goalProgress(facts).join("\n")).toBe(`**Goal: CHECKPOINT**, sprint "Light": its due date passed

- Sub-issues: 3 of 5 closed
- Tasks: 1 UNCLAIMED, 1 CLAIMED, 1 MERGED
- Sprint Light: CHECKPOINT (its due date passed)
- Cost so far: $2.00 for 7 turns of 2 agents.

**Open questions**, each to be answered on its issue

- #12: Which voltage?

Next for the goal: \`/flotilla continue\` on #9 lets it continue, \`/flotilla abort\` on #9 ends it and cancels its agents.
`);
  const over = {
    ...facts,
    questions: [],
    tasks: [],
    agents: [anAgent({})],
    sprints: [{ ...sprint, dueAt: AT, reason: null }],
  };
  const ended = goalProgress({ ...over, goal: { ...goal, state: "ABORTED", reason: "no budget" } }).join(
    "\n",
  );
  expect(ended).toContain("**Goal: ABORTED**, no budget");
  expect(ended).toContain("- Tasks: none yet\n- Sprint Light: CHECKPOINT, due until ");
  expect(ended).toContain("of 1 agent.");
  expect(ended).not.toContain("/flotilla abort");
  const going = goalProgress({ ...over, sprints: [{ ...sprint, state: "IN_PROGRESS", reason: null }] });
  expect(going[0]).toBe("**Goal: IN_PROGRESS**");
  expect(goalProgress(null)).toEqual([]);
});

const switchAt = (state: "ACTIVE" | "SLEEPING") => {
  const tasks = [aTask({ issue: 12, title: "Switch" })];
  return taskLists({ ...work, tasks, agents: [anAgent({ issue: 12, state })] }).at(-1);
};

it("says why the agent of an open task sleeps, and of one at work no reason", () => {
  expect(switchAt("ACTIVE")).toBe("- #12 Switch: CLAIMED, feat-dev is ACTIVE");
  expect(switchAt("SLEEPING")).toBe("- #12 Switch: CLAIMED, feat-dev is SLEEPING (question)");
});

it("a long list is cut, and says by how much", () => {
  const tasks = Array.from({ length: 40 }, (_, index) => aTask({ id: index + 1, issue: index + 1 }));
  const lines = taskLists({ ...work, tasks, agents: [] });
  expect(lines).toHaveLength(34);
  expect(lines.at(-1)).toBe("- and 10 more");
});
