import type { RunEvent, Turns } from "../../src/domain/kernel/run-event.ts";

/** The turns of an agent that has used one of fifty. */
export const FIRST_TURN: Turns = { current_turn: 1, max_turns: 50, progress: 0.02 };

/** Builds the event for one more turn of a run. */
export const stepped = (step: number): RunEvent => ({
  type: "agent:step",
  data: { step, ...FIRST_TURN, current_turn: step },
});
