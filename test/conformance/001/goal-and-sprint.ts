import { describe, expect, it } from "vitest";
import type { Row } from "../disagreements.ts";
import { goalWalker, sprintWalker } from "../goal-walker.ts";
import { follow, type Pattern, refused, type Walker } from "../walker.ts";

/** Its tables: what each state may become; none for a final one. */
const GOAL = { IN_PROGRESS: ["COMPLETED", "ABORTED"], COMPLETED: [], ABORTED: [] };
const SPRINT = {
  IN_PROGRESS: ["CHECKPOINT", "COMPLETED", "ABORTED"],
  CHECKPOINT: ["IN_PROGRESS", "ABORTED"],
  COMPLETED: [],
  ABORTED: [],
};

interface Trigger {
  readonly trigger: string;
  readonly from: "IN_PROGRESS" | "CHECKPOINT";
  readonly by: Pattern;
  readonly to: string;
  /** What it says instead, and the row that rules it. */
  readonly says?: { readonly to: string; readonly ruled: Row };
}

/** Its triggers of a sprint's moves. */
export const TRIGGERS: readonly Trigger[] = [
  {
    trigger: "all planned tasks are over",
    from: "IN_PROGRESS",
    by: { type: "TASKS_DONE", tasks: 2, open: 0 },
    to: "COMPLETED",
  },
  {
    trigger: "the calendar's end",
    from: "IN_PROGRESS",
    by: { type: "CHECKPOINT", cause: "due" },
    to: "CHECKPOINT",
  },
  {
    trigger: "a person asks for a review",
    from: "IN_PROGRESS",
    by: { type: "CHECKPOINT", cause: "person" },
    to: "CHECKPOINT",
  },
  {
    trigger: "a breaker of the whole",
    from: "IN_PROGRESS",
    by: { type: "CHECKPOINT", cause: "incident" },
    to: "CHECKPOINT",
    says: { to: "ABORTED", ruled: "breaker_and_sprint" },
  },
  { trigger: "a person ends it", from: "IN_PROGRESS", by: "ABORT", to: "ABORTED" },
  { trigger: "a person lets it continue", from: "CHECKPOINT", by: "CONTINUE", to: "IN_PROGRESS" },
  { trigger: "a person ends it at the checkpoint", from: "CHECKPOINT", by: "ABORT", to: "ABORTED" },
];

/** Every pair of states that events of ours lead through, as the table of the document has them. */
function pairs<Snap>(walker: Walker<Snap>): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    walker.states.map((from) => [
      from,
      walker.states.filter(
        (to) => walker.pathThrough(walker.reach(from), [to], { by: walker.events, bound: 1 }) !== null,
      ),
    ]),
  );
}

/** The document's goals and sprints. */
export function goalAndSprint(): void {
  describe("the goal", () => {
    it("has exactly its three states and moves, and no checkpoint", () => {
      expect(pairs(goalWalker)).toEqual(GOAL);
    });

    it("is completed only when all is done, and final then", () => {
      const goal = goalWalker.reach("IN_PROGRESS");
      for (const open of [{ openSubIssues: 1 }, { openTasks: 1 }])
        expect(refused(goalWalker, goal, { type: "COMPLETE", ...open })).not.toEqual([]);
      for (const end of goalWalker.terminal)
        for (const event of goalWalker.events)
          expect(refused(goalWalker, goalWalker.reach(end), event)).not.toEqual([]);
    });
  });

  describe("the sprint", () => {
    it("has exactly its four states and moves", () => {
      expect(pairs(sprintWalker)).toEqual(SPRINT);
    });

    it("has two final states", () => {
      for (const end of ["COMPLETED", "ABORTED"])
        for (const event of sprintWalker.events)
          expect(refused(sprintWalker, sprintWalker.reach(end), event)).not.toEqual([]);
    });
  });

  describe("the triggers of a sprint", () => {
    it.each(TRIGGERS)("$trigger: $from to $to", ({ from, by, to, says }) => {
      expect(follow(sprintWalker, sprintWalker.reach(from), by).snapshot?.state).toBe(to);
      expect(says?.to).not.toBe(to);
    });

    it("complete no sprint with an open task, without tasks, or at its checkpoint", () => {
      const sprint = sprintWalker.reach("IN_PROGRESS");
      for (const counts of [{ open: 1 }, { tasks: 0 }])
        expect(refused(sprintWalker, sprint, { type: "TASKS_DONE", ...counts })).not.toEqual([]);
      expect(refused(sprintWalker, sprintWalker.reach("CHECKPOINT"), "TASKS_DONE")).not.toEqual([]);
    });

    it("ask once for the calendar's end: what a person answered is not asked again", () => {
      const due = { type: "CHECKPOINT", cause: "due" };
      const answered = follow(sprintWalker, sprintWalker.reach("IN_PROGRESS"), due, "CONTINUE");
      expect(refused(sprintWalker, answered, due)).not.toEqual([]);
    });
  });
}
