import type { TransitionRow } from "../kernel/rows.ts";

/**
 * Files that the operator creates in the data directory: switches that work when neither GitHub nor the API answers. Only
 * the operator removes them. PAUSE and ABORT hold all agents while they are there; ABORT also ends every goal and sprint.
 * CHECKPOINT stops each running sprint once, until the operator removes the file or a person lets the sprint continue.
 */
export const OPERATOR_FILES = ["PAUSE", "CHECKPOINT", "ABORT"] as const;
export type OperatorFile = (typeof OPERATOR_FILES)[number];

/** Who acts by such a file, as records name it. */
export const BY_FILE = "operator:file";

/** The part of a sprint's recorded move that decides what the file CHECKPOINT does. */
type SprintMove = Pick<TransitionRow, "event" | "actor" | "at">;

/**
 * Returns whether CHECKPOINT, which is there since then, stops the running sprint with these moves: not once a person has
 * let the sprint continue since then. A move that lies after `now` was recorded before the clock was set back.
 */
export function stopsByFile(moves: readonly SprintMove[], since: number, now: number): boolean {
  return !moves.some(
    ({ event, actor, at }) => event === "CONTINUE" && actor !== BY_FILE && at >= since && at <= now,
  );
}

/** Returns whether the file CHECKPOINT is what stopped the sprint with these moves, oldest first. */
export function isStoppedByFile(moves: readonly SprintMove[]): boolean {
  return moves.findLast(({ event }) => event === "CHECKPOINT")?.actor === BY_FILE;
}

/** Returns the files that hold all agents in words, as a pause by them has it as its reason; null where none is there. */
export function holdingFiles(there: ReadonlyMap<OperatorFile, unknown>): string | null {
  const files = (["PAUSE", "ABORT"] as const).filter((file) => there.has(file));
  if (files.length === 0) return null;
  return `the ${files.length === 1 ? "file" : "files"} ${files.join(" and ")}`;
}

/** Returns the reason of a pause by files with the machine on which they are, where there may be several. */
export function heldOn(files: string, node: string): string {
  return `${files}${ON}${node}`;
}

/** Returns whether the files of another machine hold the agents: only the operator who removes those lifts that. */
export function isHeldElsewhere(reason: string | null, node: string): boolean {
  return reason?.includes(ON) === true && !reason.endsWith(`${ON}${node}`);
}

const ON = " on ";

/** Why a goal or a sprint ends. */
export const ENDED_BY_FILE = "the operator created the file ABORT in the data directory";

/** Why a sprint stops, with what lets it continue. */
export const STOPPED_BY_FILE =
  "the operator created the file CHECKPOINT in the data directory, and it continues when the operator removes that file";

/** Why a sprint continues. */
export const CONTINUED_BY_FILE = "the operator removed the file CHECKPOINT from the data directory";
