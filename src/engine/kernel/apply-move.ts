import type { Move } from "../../domain/kernel/change-set.ts";
import { stepAgent, stepRun, stepSession } from "./agent-steps.ts";
import type { CascadingMoves, StepContext } from "./step-context.ts";
import { stepGoal, stepReviewLease, stepSprint, stepTask } from "./work-steps.ts";

/** One move, then at once what it tells the machines beside it, until no event is left. */
export async function applyMove(turn: StepContext, move: Move): Promise<void> {
  for (const follow of await stepOf(turn, move))
    for (const next of await follow()) await applyMove(turn, next);
}

async function stepOf(turn: StepContext, move: Move): Promise<readonly CascadingMoves[]> {
  switch (move.machine) {
    case "agent":
      return stepAgent(turn, move.id, move.event);
    case "run":
      return stepRun(turn, move.id, move.event);
    case "session":
      return stepSession(turn, move.id, move.event);
    case "task":
      return stepTask(turn, move.id, move.event);
    case "review_lease":
      return stepReviewLease(turn, move.id, move.event);
    case "sprint":
      return stepSprint(turn, move.id, move.event);
    case "goal":
      return stepGoal(turn, move.id, move.event);
  }
}
