import type { RunEvent, Turns } from "../../src/domain/kernel/run-event.ts";

/** How far an agent is that has used one of its fifty turns. */
export const FIRST_TURN: Turns = { current_turn: 1, max_turns: 50, progress: 0.02 };

/** One more turn of a run. */
export const stepped = (step: number): RunEvent => ({
  type: "agent:step",
  data: { step, ...FIRST_TURN, current_turn: step },
});
