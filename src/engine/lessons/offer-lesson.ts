import { lessonDue } from "../../domain/lessons/lesson-due.ts";
import { mayTeach } from "../../domain/lessons/lesson-fact.ts";
import { withBlockers } from "../blockers/blockers.ts";
import { readIssueState } from "../events/issue-state.ts";
import type { Executor } from "../outbox/execution.ts";
import { readEndedWork } from "./facts.ts";
import { lessonObstacle } from "./proposals.ts";

/** Starts the retrospective that an end of work calls for. None starts where it could propose nothing, or has nothing to learn. */
export const offerLesson: Executor<"offer_lesson"> = async ({ context, repository, row, effect }) => {
  const { asked } = effect;
  const view = await readIssueState(context, repository, row.issue);
  const ended = await readEndedWork(context, repository, row.issue);
  const hasFacts = ended !== null && (asked !== null || mayTeach(ended.facts));
  const obstacle =
    ended !== null && !hasFacts
      ? { reason: `nothing went wrong in the work on #${row.issue}, and nobody commented on it` }
      : await lessonObstacle(context, repository);
  const due = { at: context.clock.now(), ending: ended?.ending ?? null, asked, obstacle };
  const changes = lessonDue(due, view);
  return { result: null, changes: await withBlockers(context, repository, row.issue, changes) };
};
