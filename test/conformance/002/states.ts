import type { RunState } from "../../../src/domain/agents/run.ts";

/** Document 002's twelve states of an agent, in its order. */
export const STATES_002 = [
  "idle",
  "initializing",
  "planning",
  "executing",
  "evaluating",
  "adapting",
  "waiting_input",
  "waiting_agent",
  "succeeded",
  "failed",
  "paused",
  "cancelled",
] as const;
export type State002 = (typeof STATES_002)[number];

/** Its states are those of our Run, word for word. */
export const AS_OURS: Readonly<Record<State002, RunState>> = {
  idle: "idle",
  initializing: "initializing",
  planning: "planning",
  executing: "executing",
  evaluating: "evaluating",
  adapting: "adapting",
  waiting_input: "waiting_input",
  waiting_agent: "waiting_agent",
  succeeded: "succeeded",
  failed: "failed",
  paused: "paused",
  cancelled: "cancelled",
};

/** States that our Run has beside them, with the document that they come from. */
export const FROM_ELSEWHERE: Readonly<Record<Exclude<RunState, State002>, string>> = {
  waiting_approval: "000",
  error: "000",
};

/** What the document asks of a state by a question of its own. */
export const TERMINAL: readonly State002[] = ["succeeded", "failed", "cancelled"];
export const BLOCKED: readonly State002[] = ["waiting_input", "waiting_agent", "paused"];
/** What its status page counts as at work. */
export const AT_WORK: readonly State002[] = [
  "initializing",
  "planning",
  "executing",
  "evaluating",
  "adapting",
  "waiting_input",
  "waiting_agent",
];

/** How long it expects a state to last, in seconds; `null` = without end, `varies`, or an end of its own. */
export const TYPICAL_SECONDS: Readonly<
  Record<State002, readonly [number, number] | "varies" | "indefinite" | "terminal">
> = {
  idle: "indefinite",
  initializing: [1, 5],
  planning: [5, 30],
  executing: "varies",
  evaluating: [2, 10],
  adapting: [5, 15],
  waiting_input: "indefinite",
  waiting_agent: "indefinite",
  succeeded: "terminal",
  failed: "terminal",
  paused: "indefinite",
  cancelled: "terminal",
};
