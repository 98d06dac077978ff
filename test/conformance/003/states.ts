import type { SessionState } from "../../../src/core/machines/session.ts";

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

/** The transition table; a state may also follow itself, for updates that tell nothing new. */
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

/** What the table has and the diagram has not: a process may be gone without a stop. The table holds. */
export const ONLY_IN_TABLE: readonly (readonly [State003, State003])[] = [
  ["unspecified", "starting"],
  ["starting", "stopped"],
  ["running", "stopped"],
  ["idle", "stopped"],
  ["waiting_approval", "stopped"],
  ["paused", "stopped"],
];

/** A record is written with its first start, so none is ever told again that it is unspecified. */
export const NEVER_REPEATED: readonly State003[] = ["unspecified"];

/** Moves named as an example of what is refused, and the states that a revive starts from. */
export const BACKWARD: readonly (readonly [State003, State003])[] = [["idle", "starting"]];
export const REVIVED_FROM: readonly State003[] = ["stopped", "failed"];
