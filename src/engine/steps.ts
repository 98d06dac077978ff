import type { Move } from "../core/reaction.ts";
import type { Follow, Step } from "./step.ts";
import { stepAgent, stepRun, stepSession } from "./steps-of-agents.ts";
import { stepGoal, stepReviewLease, stepSprint, stepTask } from "./steps-of-work.ts";

/** One move, then at once what it tells the machines beside it, until no event is left. */
export async function take(turn: Step, move: Move): Promise<void> {
  for (const follow of await stepOf(turn, move)) for (const next of await follow()) await take(turn, next);
}

async function stepOf(turn: Step, move: Move): Promise<readonly Follow[]> {
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
