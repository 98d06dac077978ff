import type { RunState } from "../machines/run.ts";

/** What a run does in each phase, in words for people; the page has the same ones. */
export const PHASE_WORDS: Readonly<Record<RunState, string>> = {
  idle: "not begun",
  initializing: "gets ready",
  planning: "plans",
  executing: "does the work",
  evaluating: "is being checked",
  adapting: "fixes what the checks found",
  waiting_input: "waits for an answer",
  waiting_agent: "waits for other work",
  waiting_approval: "waits for an approval",
  paused: "paused",
  error: "cannot continue for now",
  succeeded: "succeeded",
  failed: "failed",
  cancelled: "cancelled",
};
