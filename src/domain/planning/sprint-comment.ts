import { oneLine } from "../messages/format.ts";
import { costLine, questionLines, taskLists, type WorkFacts } from "../tasks/work-progress.ts";
import type { GoalRecord } from "./goal.ts";
import { steeredOn } from "./plan.ts";
import type { SprintRecord } from "./sprint.ts";

/** Returns the comment at a sprint's checkpoint or end; null for other moves. `on` = its goal's tracking issue. */
export function sprintComment(sprint: SprintRecord, work: WorkFacts, on: number | null): string | null {
  const said = words(sprint, on);
  if (said === null) return null;
  const { happened, next } = said;
  return [
    `The sprint **${oneLine(sprint.title)}** is ${sprint.state === "CHECKPOINT" ? "at CHECKPOINT" : sprint.state}${sprint.reason === null ? "" : `: ${oneLine(sprint.reason)}`}.`,
    "",
    happened,
    ...taskLists(work),
    "",
    costLine(work),
    ...questionLines(work),
    ...next,
  ].join("\n");
}

function words(
  { state }: SprintRecord,
  on: number | null,
): { readonly happened: string; readonly next: readonly string[] } | null {
  switch (state) {
    case "IN_PROGRESS":
      return null;
    case "CHECKPOINT":
      return {
        happened: "Its agents at work stop with their work saved; none starts and none wakes.",
        next: [
          "",
          `**Should it continue?** Answer on ${steeredOn(on)}:`,
          "",
          "- `/flotilla continue` continues it where it stopped; everything that arrived meanwhile is stored",
          `- \`/flotilla abort [why]\` ends ${on === null ? "it" : "the goal with all its sprints"} and cancels the agents; their branches are kept`,
        ],
      };
    case "COMPLETED":
      return { happened: "All its tasks have ended.", next: [] };
    case "ABORTED":
      return {
        happened: "Its agents are cancelled; their branches are kept.",
        next: ["", "To work on one of its issues again, label it or say `/flotilla start` there."],
      };
  }
}

/** Returns the comment at a goal's end; null while it is in progress. */
export function goalComment(goal: GoalRecord, work: WorkFacts): string | null {
  if (goal.state === "IN_PROGRESS") return null;
  return [
    `The goal **${oneLine(goal.title)}** is ${goal.state}${goal.reason === null ? "" : `: ${oneLine(goal.reason)}`}.`,
    "",
    goal.state === "COMPLETED"
      ? "All its sub-issues are closed and all its tasks have ended. Whether the tracking issue is closed is up to you."
      : "Its sprints are ABORTED and their agents cancelled; their branches are kept.",
    ...taskLists(work),
    "",
    costLine(work),
  ].join("\n");
}
