import type { Consequence } from "../kernel/errors.ts";
import { moment } from "../messages/format.ts";

/** What is known of the checkpoints of one agent. A worktree that is lost with its mirror is rebuilt from these alone. */
export interface CheckpointRow {
  readonly agentId: number;
  /** The period in which the row was written last. */
  readonly token: number;
  /** The newest checkpoint, perhaps on this machine alone; null before the first. */
  readonly commit: string | null;
  readonly madeAt: number | null;
  /** The one that the server took last, and when it was made. */
  readonly pushed: string | null;
  readonly pushedMadeAt: number | null;
  /** Why the newest work is in no checkpoint on the server; null where nothing stands in the way. */
  readonly fault: string | null;
}

/** The work of an agent is saved this often while it works, and sent to the server at most this often. */
export const SAVE_EVERY_MS = 60_000;
/** The longest time between two tries to send a checkpoint. */
const MOST_PAUSE_MS = 60 * 60_000;
/** Saving takes at most a tenth of the time. */
const PAUSE_FACTOR = 9;
/** Failures without an answer of the server, before people are told. */
const MOST_SILENT = 3;

export const HELD = "it holds what looks like a secret, or more than 20 MiB";

/** Returns how long nothing is saved after a saving that took this long, unless `SAVE_EVERY_MS` have passed. */
export function pauseAfterSaving(tookMs: number): number {
  return Math.min(SAVE_EVERY_MS, tookMs * PAUSE_FACTOR);
}

/** Returns how long to wait before a checkpoint is sent again, after so many failures in a row. */
export function pauseBeforeSending(failures: number): number {
  return Math.min(MOST_PAUSE_MS, SAVE_EVERY_MS * 2 ** failures);
}

/** Returns whether people are told that a checkpoint could not be sent: a refusal at once, silence later. */
export function tellsOfFailure(consequence: Consequence, failures: number): boolean {
  return consequence === "tell" || consequence === "stop" || failures >= MOST_SILENT;
}

/** Returns the checkpoints of ours that may be on the server, the newest first. */
export function savedCommits(row: CheckpointRow | undefined): readonly string[] {
  return [...new Set([row?.commit, row?.pushed])].filter((commit) => commit != null);
}

/** Returns what people read when the server does not take checkpoints. */
export function notSent(agentName: string, why: string): string {
  return `the git server did not take the checkpoint of ${agentName}, so its work that is not pushed is on this machine only: ${why}`;
}

/** Returns what people read when a worktree was gone and is rebuilt: what is back, and what is lost. */
export function rebuilt(
  agentName: string,
  { origin, checkpoint }: { readonly origin: keyof typeof FROM; readonly checkpoint: string | null },
  row: CheckpointRow | undefined,
): string {
  const gone = `the worktree of ${agentName} was gone and is made again from`;
  const at = checkpoint === null ? null : madeAt(checkpoint, row);
  if (checkpoint !== null)
    return `${gone} its checkpoint${at === null ? "" : ` of ${moment(at)}`}; what it changed after that, if anything, is lost`;
  const from = FROM[origin];
  const why = row?.fault == null ? "" : `. Its work was in no checkpoint on the server: ${row.fault}`;
  return `${gone} ${from}; what it had not committed, if anything, is lost${why}`;
}

/** By the `origin` of a worktree that has no checkpoint. */
const FROM = {
  fresh: "the base branch",
  existing: "what is there",
  pushed: "its branch as pushed",
  checkpoint: "its commits",
} as const;

function madeAt(commit: string, row: CheckpointRow | undefined): number | null {
  if (row?.commit === commit) return row.madeAt;
  return row?.pushed === commit ? row.pushedMadeAt : null;
}
