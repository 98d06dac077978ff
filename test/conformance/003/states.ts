import type { SessionState } from "../../../src/domain/agents/session.ts";

/** Document 003's states of an agent of a runtime, in the order of its numeric codes, which begin at 0. */
export const STATES_003 = [
  "unspecified",
  "starting",
  "running",
  "idle",
  "waiting_approval",
  "paused",
  "stopping",
  "stopped",
  "failed",
] as const satisfies readonly SessionState[];
export type State003 = (typeof STATES_003)[number];

/** The transition table; it lets a state also follow itself, for updates that tell nothing new. */
export const TABLE: Readonly<Record<State003, readonly State003[]>> = {
  unspecified: ["starting"],
  starting: ["running", "idle", "waiting_approval", "stopping", "stopped", "failed"],
  running: ["idle", "waiting_approval", "paused", "stopping", "stopped", "failed"],
  idle: ["running", "waiting_approval", "paused", "stopping", "stopped", "failed"],
  waiting_approval: ["running", "idle", "paused", "stopping", "stopped", "failed"],
  paused: ["running", "idle", "waiting_approval", "stopping", "stopped", "failed"],
  stopping: ["stopped", "failed"],
  stopped: ["starting"],
  failed: ["starting", "stopped"],
};

/** Arrows of its diagram, which begins in `starting`. */
export const DIAGRAM: Readonly<Record<State003, readonly State003[]>> = {
  unspecified: [],
  starting: ["running", "idle", "waiting_approval", "stopping", "failed"],
  running: ["idle", "waiting_approval", "paused", "stopping", "failed"],
  idle: ["running", "waiting_approval", "paused", "stopping", "failed"],
  waiting_approval: ["running", "idle", "paused", "stopping", "failed"],
  paused: ["running", "idle", "waiting_approval", "stopping", "failed"],
  stopping: ["stopped", "failed"],
  stopped: ["starting"],
  failed: ["starting", "stopped"],
};

/** Ends without a stop: the table has them, the diagram has not, and neither have we. */
export const WITHOUT_STOP: readonly (readonly [State003, State003])[] = [
  ["starting", "stopped"],
  ["running", "stopped"],
  ["idle", "stopped"],
  ["waiting_approval", "stopped"],
  ["paused", "stopped"],
];

/** What the table has and the diagram has not. */
export const ONLY_IN_TABLE: readonly (readonly [State003, State003])[] = [
  ["unspecified", "starting"],
  ...WITHOUT_STOP,
];

/** Moves to `waiting_approval` of the table that we leave out: only a model at work asks for something. */
export const NOTHING_ASKED: readonly (readonly [State003, State003])[] = [
  ["starting", "waiting_approval"],
  ["idle", "waiting_approval"],
];

/** Moves of ours that are not in the table: a person may pause what is being started. */
export const ADDED: readonly (readonly [State003, State003])[] = [["starting", "paused"]];

/** The states that are told again; the others follow themselves in no case. */
export const TOLD_AGAIN: readonly State003[] = ["idle"];

/** Moves named as an example of what is refused, and the states that a revive starts from. */
export const BACKWARD: readonly (readonly [State003, State003])[] = [["idle", "starting"]];
export const REVIVED_FROM: readonly State003[] = ["stopped", "failed"];
