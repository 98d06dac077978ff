import type { EffectKind } from "./effect.ts";

/** Moments at which a crash would hurt most, beside the one after each kind of effect. Each is met in the code once. */
export const CRASH_MOMENTS = [
  /** A webhook is on disk, and GitHub has no answer yet. */
  "delivery:written",
  /** Webhooks are in the database, and in the file before it as well. */
  "delivery:moved",
  /** A webhook is claimed, and nothing follows from it yet. */
  "delivery:claimed",
  /** A transaction has written all its rows, and nothing of it is saved. */
  "store:committing",
  /** What follows from a fact is saved, and nobody has been told of it. */
  "fact:decided",
  /** An effect is leased and not begun. */
  "effect:leased",
  /** GitHub has carried out a write, and only its adapter knows. */
  "github:written",
  /** A worktree's files are written, and the commit that its work starts from is not remembered. */
  "git:prepared",
  /** A commit is an object that nothing leads to. */
  "git:commit-made",
  /** The branch has the commit, and what waited in the worktree to be merged with it waits still. */
  "git:committed",
  /** The server has the commit, and the mirror does not know. */
  "git:pushed",
  /** The mirror has the checkpoint, and the server does not. */
  "git:checkpointed",
  /** What a worktree held is safe, and it stands still. */
  "git:archived",
  /** The directory is no worktree any more, and git's data of it are there. */
  "git:removing",
  /** What the next commit takes in was looked at, and nothing is committed. */
  "commit:looked",
  /** A commit is held, and no person is asked yet. */
  "commit:held",
  /** A runtime process runs that has no conversation. */
  "runtime:started",
  /** An agent has its process and its conversation, and no record of either. */
  "session:opened",
  /** An agent's process has ended, and is thought to run. */
  "session:stopped",
  "turn:message",
  /** What an exchange began with counts as told, and its runtime has not had the time to write by itself. */
  "turn:told",
  "turn:intent",
  "turn:ended",
  /** Between the look at what is new and its telling, and before it counts as delivered. */
  "turn:news",
  "turn:answer",
  "evidence:command",
  "evidence:evaluation",
  /** An operator's command is carried out and not answered. */
  "command:done",
  /** Missed webhooks are looked for and asked for, and it is not noted. */
  "sweep:done",
] as const;

/** `effect:<kind>` is after the act and before its outcome is saved. */
export type CrashPoint = (typeof CRASH_MOMENTS)[number] | `effect:${EffectKind}`;

/** Told of each point that is passed; does nothing outside tests. */
export type AtCrashPoint = (point: CrashPoint) => void;

/** What a room is given that need not die. */
export function neverCrash(): void {}
