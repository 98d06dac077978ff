import type { TaskEvent, TaskEventOf } from "../../../src/domain/tasks/task-event.ts";
import { AT, HOUR } from "../../factories/moment.ts";

export const COMMIT = "c".repeat(40);
export const OTHER = "d".repeat(40);

const base = { at: AT, actor: "alice" };
const taking = {
  ...base,
  agentId: 11,
  line: 11,
  worktree: "feat-dev-issue-42",
  leaseUntil: AT + HOUR,
};

type Events = { readonly [T in TaskEvent["type"]]: TaskEventOf<T> };

const events: Events = {
  OPEN: {
    ...base,
    type: "OPEN",
    repositoryId: 7,
    issue: 42,
    title: "Add a dark mode",
    draft: false,
    base: null,
  },
  RETARGET: { ...base, type: "RETARGET", base: "release-1" },
  FINALIZE: { ...base, type: "FINALIZE" },
  CLAIM: { ...taking, type: "CLAIM", openBlockers: [] },
  RECLAIM: { ...taking, type: "RECLAIM", maxCycles: 5 },
  REASSIGN: { ...taking, type: "REASSIGN", agentId: 12, line: 12, worktree: "feat-dev-issue-42.2" },
  CLAIM_FIX: { ...taking, type: "CLAIM_FIX" },
  REQUEST_REVIEW: { ...base, type: "REQUEST_REVIEW", commit: COMMIT },
  BLOCK: { ...base, type: "BLOCK", cause: "replanning", reason: "two issues in one" },
  RELEASE: { ...base, type: "RELEASE", failed: null },
  APPROVE: {
    ...base,
    type: "APPROVE",
    reviewer: "alice",
    account: 5,
    author: "feat-dev-issue-42",
    commit: COMMIT,
    reviewers: 1,
    leaseToken: null,
  },
  REJECT: {
    ...base,
    type: "REJECT",
    reason: "no tests",
    source: "review:55",
    maxCycles: 5,
    leaseToken: null,
    account: 5,
  },
  CHECKS_FAIL: { ...base, type: "CHECKS_FAIL", reason: "the check `test` is red" },
  NEW_COMMIT: { ...base, type: "NEW_COMMIT", commit: OTHER },
  MERGE: { ...base, type: "MERGE", head: COMMIT, checksGreen: true, mergeCommit: OTHER },
  INTEGRATION_FAIL: { ...base, type: "INTEGRATION_FAIL", reason: "it conflicts with main" },
  RESCOPE: { ...base, type: "RESCOPE" },
  SUPERSEDE: { ...base, type: "SUPERSEDE", by: 50, reason: "split in two" },
  ABANDON: { ...base, type: "ABANDON" },
  OBSERVED_MERGED: { ...base, type: "OBSERVED_MERGED", commit: COMMIT },
  OBSERVED_CLOSED: { ...base, type: "OBSERVED_CLOSED" },
};

/** An event that a task in the fitting state takes. */
export function taskEvent<T extends TaskEvent["type"]>(
  type: T,
  overrides: Partial<Events[T]> = {},
): Events[T] {
  return { ...events[type], ...overrides };
}
