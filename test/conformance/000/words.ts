import type { Word } from "../words.ts";
import { EVENTS, UNNAMED_EVENTS } from "./moves.ts";
import { STATES, THEIR_STATES, UNNAMED } from "./states.ts";

const NOTES: Readonly<Record<string, string>> = {
  idle: "before START, and again after the RESET of a failed Run that continues",
  starting: "no tool runs, nothing is said to the model yet",
  running: "tools run; while the host evaluates a claim the model waits",
  paused:
    "slot and process are given up, worktree and conversation kept; who is waited for has a state of its own",
  error: "recoverable ones only; retried by itself, and by a person at once",
  completed: "final, so that people read how it ended; new work is a new attempt with a Run of its own",
  START:
    "an ESCALATED agent that continues after a failure takes RESET first; a new attempt has a Run of its own",
  STEP: "INIT_COMPLETE is the first one; at the limit it leads to waiting_approval",
  PAUSE: "the reasons user_input and approval_required are waits of their own",
  RESUME:
    "RESUME and RETRY go back to the phase that was left; the others to `executing`, a refusal to `adapting`",
  ERROR: "not recoverable: `failed`",
  COMPLETE: "a claim (STEP_COMPLETE) that the host has checked (EVALUATION_PASS)",
  ABORT: "ends as `cancelled`, which is kept",
};

const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ");

/** The words of document 000, made from what its suite walks. */
export const WORDS: readonly Word[] = [
  ...THEIR_STATES.map(
    (state): Word => [`\`${state}\``, `Run ${code(STATES[state].ours)}`, NOTES[state] ?? ""],
  ),
  ["(none)", `Run ${code(UNNAMED)}`, "how it ended; kept after the clean-up"],
  ...Object.entries(EVENTS).map(([event, ours]): Word => [`\`${event}\``, code(ours), NOTES[event] ?? ""]),
  ...Object.entries(UNNAMED_EVENTS).map(([event, why]): Word => ["(none)", `\`${event}\``, why]),
];
