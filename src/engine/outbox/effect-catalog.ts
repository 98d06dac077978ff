import { AT_ITS_NODE, type EffectKind } from "../../domain/kernel/effect.ts";
import type { NodeRoles } from "../../domain/recovery/node-roles.ts";

/** How long one try of an effect may take, in milliseconds, and how often it is tried. */
export interface CatalogEntry {
  readonly limitMs: number;
  readonly maxAttempts: number;
  /**
   * Not retried beyond `maxAttempts` while a server is down: the merge queue is refreshed instead, and others
   * go first.
   */
  readonly givesWay?: true;
}

const GITHUB: CatalogEntry = { limitMs: 60_000, maxAttempts: 10 };

/** The limits of each kind of effect. */
export const CATALOG: Readonly<Record<EffectKind, CatalogEntry>> = {
  open_session: { limitMs: 900_000, maxAttempts: 5 },
  close_session: { limitMs: 300_000, maxAttempts: 5 },
  remove_worktree: { limitMs: 600_000, maxAttempts: 5 },
  interrupt: { limitMs: 30_000, maxAttempts: 2 },
  forget_work: { limitMs: 120_000, maxAttempts: 3 },
  status_comment: GITHUB,
  post_comment: GITHUB,
  question_comment: GITHUB,
  add_labels: GITHUB,
  remove_label: GITHUB,
  task_label: GITHUB,
  close_issue: GITHUB,
  react: { limitMs: 60_000, maxAttempts: 3 },
  open_incident: GITHUB,
  add_blocked_by: GITHUB,
  recheck_blocker: GITHUB,
  look_at_blockers: GITHUB,
  look_at_issue: GITHUB,
  look_at_checks: GITHUB,
  look_at_review_checks: GITHUB,
  rerun_check: GITHUB,
  offer_review: GITHUB,
  offer_attempt: GITHUB,
  publish_verdict: GITHUB,
  publish_review: GITHUB,
  commit: { limitMs: 300_000, maxAttempts: 5 },
  create_blocker_issue: GITHUB,
  create_sub_issue: GITHUB,
  create_backport: { limitMs: 300_000, maxAttempts: 10 },
  pull_facts: GITHUB,
  open_pr: { limitMs: 120_000, maxAttempts: 6 },
  look_at_train: { limitMs: 120_000, maxAttempts: 10 },
  update_branch: { limitMs: 120_000, maxAttempts: 4, givesWay: true },
  merge_pull: { limitMs: 120_000, maxAttempts: 4, givesWay: true },
  propose_file: { limitMs: 120_000, maxAttempts: 6 },
  offer_lesson: GITHUB,
  propose_lesson: { limitMs: 120_000, maxAttempts: 6 },
  open_scheduled: GITHUB,
  notify: { limitMs: 30_000, maxAttempts: 10 },
};

const KINDS = Object.keys(CATALOG).filter((kind): kind is EffectKind => kind in CATALOG);

/**
 * Returns the kinds that a node with these roles carries out; undefined for all. A runner has what an agent's worktree and
 * process need, a controller the App's key.
 */
export function kindsFor(roles: NodeRoles): readonly EffectKind[] | undefined {
  const [controls, runs] = [roles.has("controller"), roles.has("runner")];
  if (controls && runs) return undefined;
  return KINDS.filter((kind) => (AT_ITS_NODE.includes(kind) ? runs : controls));
}
