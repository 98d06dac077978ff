import type { EffectKind } from "./effect.ts";

/**
 * Moments at which a crash would do most harm, besides the one after each kind of effect. Each occurs in the code once, and
 * those of a runtime once in each runtime.
 */
export const CRASH_MOMENTS = [
  /** A webhook is on disk, and GitHub has no answer yet. */
  "delivery:written",
  /** Webhooks are in the database, and still in the file too. */
  "delivery:moved",
  /** A webhook is claimed, and nothing follows from it yet. */
  "delivery:claimed",
  /** A transaction has written all its rows, and is not committed. */
  "store:committing",
  /** What follows from an event is saved, and no subscriber has run. */
  "fact:decided",
  /** An effect is leased and not begun. */
  "effect:leased",
  /** GitHub has carried out a write, and only the adapter knows. */
  "github:written",
  /** A worktree's files are written, and the base commit of its work is not stored. */
  "git:prepared",
  /** A commit object exists, and no ref leads to it. */
  "git:commit-made",
  /** The branch has the commit, and the worktree's merge state is not cleared yet. */
  "git:committed",
  /** The server has signed the commits, and no branch leads to them. */
  "git:signed",
  /** The server has the commit, and the mirror does not know. */
  "git:pushed",
  /** The mirror has the checkpoint, and the server does not. */
  "git:checkpointed",
  /** A worktree's work is archived, and the worktree still exists. */
  "git:archived",
  /** The directory is no longer a worktree, and git's data about it still exist. */
  "git:removing",
  /** The content of the next commit was examined, and nothing is committed. */
  "commit:checked",
  /** A commit is held, and no person is asked yet. */
  "commit:held",
  /** A runtime process runs that has no conversation. */
  "runtime:started",
  /** An agent has its process and its conversation, and no record of either. */
  "session:opened",
  /** An agent's process has ended, and its record says that it runs. */
  "session:stopped",
  "turn:message",
  /** An exchange's first message counts as delivered, and the runtime has not saved it yet. */
  "turn:told",
  "turn:intent",
  "turn:ended",
  /** New wakes are read, and neither sent nor marked as delivered. */
  "turn:news",
  "turn:answer",
  "evidence:command",
  "evidence:evaluation",
  /** An operator's command is carried out and not answered. */
  "command:done",
  /** Missed webhooks are requested again, and the sweep is not stored. */
  "sweep:done",
] as const;

/** `effect:<kind>` comes after the act and before its outcome is saved. */
export type CrashPoint = (typeof CRASH_MOMENTS)[number] | `effect:${EffectKind}`;

/** Called at each point that is passed; does nothing outside tests. */
export type AtCrashPoint = (point: CrashPoint) => void;

/** The callback for code that is not to crash. */
export function neverCrash(): void {}
