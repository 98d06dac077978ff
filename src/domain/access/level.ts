import type { EffectKind } from "../kernel/effect.ts";
import { OutsideError } from "../kernel/errors.ts";

/**
 * How far Flotilla goes on its own. Each level includes those before it: it writes nothing on GitHub, comments on
 * issues, opens draft pull requests, opens pull requests, merges.
 */
export const LEVELS = ["observe", "comment", "draft", "pr", "merge"] as const;
export type Level = (typeof LEVELS)[number];

export function goesAsFarAs(level: Level, wanted: Level): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(wanted);
}

/** Returns the lower of two levels. */
export function lower(one: Level, other: Level): Level {
  return goesAsFarAs(one, other) ? other : one;
}

/** Returns true where agents' work stays on this machine: no branch, checkpoint or pull request is pushed. */
export function keepsWork(level: Level): boolean {
  return !goesAsFarAs(level, "draft");
}

/** The lowest level at which each effect may run. An effect that writes nothing on GitHub may run at any level. */
const FIRST: Readonly<Record<EffectKind, Level>> = {
  open_session: "observe",
  // The checkpoint is not pushed where work stays on this machine.
  close_session: "observe",
  remove_worktree: "observe",
  interrupt: "observe",
  forget_work: "observe",
  recheck_blocker: "observe",
  look_at_blockers: "observe",
  look_at_issue: "observe",
  look_at_checks: "observe",
  look_at_review_checks: "observe",
  offer_review: "observe",
  offer_attempt: "observe",
  offer_lesson: "observe",
  look_at_train: "observe",
  notify: "observe",
  status_comment: "comment",
  post_comment: "comment",
  question_comment: "comment",
  add_labels: "comment",
  remove_label: "comment",
  task_label: "comment",
  react: "comment",
  open_incident: "comment",
  add_blocked_by: "comment",
  close_issue: "draft",
  create_blocker_issue: "draft",
  create_sub_issue: "draft",
  create_backport: "draft",
  open_scheduled: "draft",
  rerun_check: "draft",
  publish_verdict: "draft",
  publish_review: "draft",
  commit: "draft",
  open_pr: "draft",
  propose_file: "draft",
  propose_lesson: "draft",
  pull_facts: "draft",
  update_branch: "merge",
  merge_pull: "merge",
};

export function firstLevelFor(kind: EffectKind): Level {
  return FIRST[kind];
}

const OPENS_PULL: readonly EffectKind[] = ["open_pr", "propose_file"];

/** Returns what happens to an effect: it runs, it runs as a draft, or only what it would have written is recorded. */
export function atLevel(level: Level, kind: EffectKind): "allowed" | "draft" | "withheld" {
  if (!goesAsFarAs(level, FIRST[kind])) return "withheld";
  return OPENS_PULL.includes(kind) && level === "draft" ? "draft" : "allowed";
}

/** A write that the level forbids. Nothing was sent, and a retry does not send it. */
export class Withheld extends OutsideError {
  override readonly name = "Withheld";
  readonly level: Level;
  /** The name and the arguments of the call that was not made. */
  readonly call: { readonly name: string; readonly with: readonly unknown[] };

  constructor(level: Level, call: Withheld["call"]) {
    super("withheld", `${call.name} was withheld: the level here is ${level}`, {
      consequence: "stop",
      advice: "Raise `level` in the configuration where this should be done.",
    });
    this.level = level;
    this.call = call;
  }
}
