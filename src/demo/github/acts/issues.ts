import { invalid } from "../http/answer.ts";
import { renderLabel, renderMilestone } from "../render/issue.ts";
import type { Account, Issue, Milestone, Pull, Repository } from "../world/records.ts";
import { now, type World } from "../world/world.ts";
import { assign } from "./assignees.ts";
import { emitIssue, stampUpdated } from "./emit.ts";
import { keepVersion } from "./keep-version.ts";
import { createLabel, findLabel } from "./labels.ts";
import { remember } from "./remember.ts";

/** Adds an issue or pull request under the next number, without a webhook. */
export function addIssue(
  world: World,
  repository: Repository,
  opened: { author: Account; viaApp: boolean; title: string; body: string | null; pull: Pull | null },
): Issue {
  const at = now(world);
  const issue: Issue = {
    id: world.nextId(),
    number: repository.nextNumber,
    ...opened,
    state: "open",
    stateReason: null,
    labels: [],
    assignees: [],
    milestone: null,
    locked: false,
    lockReason: null,
    createdAt: at,
    updatedAt: at,
    closedAt: null,
    closedBy: null,
    closedByPull: null,
    reactions: [],
    versions: [],
    events: [],
    blockedBy: [],
    subIssues: [],
    parent: null,
  };
  repository.nextNumber += 1;
  repository.issues.set(issue.number, issue);
  return issue;
}

/** Opens an issue: emits `issues.opened`, then one `labeled` per label and one `assigned` per person. */
export function openIssue(
  world: World,
  repository: Repository,
  opened: {
    author: Account;
    viaApp: boolean;
    title: string;
    body: string | null;
    labels: readonly string[];
    assignees: readonly string[];
    milestone: Milestone | null;
  },
): Issue {
  const { author, viaApp, title, body, labels, assignees, milestone } = opened;
  const issue = addIssue(world, repository, { author, viaApp, title, body, pull: null });
  for (const name of labels) {
    const label = findLabel(repository, name) ?? createLabel(world, repository, author, { name });
    if (!issue.labels.includes(label)) issue.labels.push(label);
  }
  issue.milestone = milestone;
  emitIssue(world, repository, issue, author, "opened");
  for (const label of issue.labels) {
    emitIssue(world, repository, issue, author, "labeled", { label: renderLabel(world, repository, label) });
  }
  assign(world, repository, author, issue, assignees);
  return issue;
}

/** Changes title and body; emits one `edited` with the previous values. */
export function editIssue(
  world: World,
  repository: Repository,
  sender: Account,
  issue: Issue,
  wanted: { title?: string | undefined; body?: string | null | undefined },
  more: Record<string, unknown> = {},
): void {
  const changes: Record<string, unknown> = { ...more };
  if (wanted.title !== undefined && wanted.title !== issue.title) {
    changes["title"] = { from: issue.title };
    remember(world, issue, sender, "renamed", { rename: { from: issue.title, to: wanted.title } });
    issue.title = wanted.title;
  }
  if (wanted.body !== undefined && wanted.body !== issue.body) {
    changes["body"] = { from: issue.body ?? "" };
    keepVersion(world, issue, { before: issue.body ?? "", after: wanted.body ?? "" });
    issue.body = wanted.body;
  }
  if (Object.keys(changes).length === 0) return;
  stampUpdated(world, issue);
  emitIssue(world, repository, issue, sender, "edited", { changes });
}

export type CloseReason = "completed" | "not_planned" | "duplicate";

/** Closes an open issue or pull request. Does nothing if it is closed. */
export function closeIssue(
  world: World,
  repository: Repository,
  sender: Account,
  issue: Issue,
  reason: CloseReason = "completed",
  byPull: number | null = null,
): void {
  if (issue.state === "closed") return;
  issue.closedByPull = byPull;
  issue.state = "closed";
  issue.stateReason = issue.pull ? null : reason;
  issue.closedBy = sender;
  stampUpdated(world, issue);
  issue.closedAt = issue.updatedAt;
  emitIssue(world, repository, issue, sender, "closed");
}

export function reopenIssue(world: World, repository: Repository, sender: Account, issue: Issue): void {
  if (issue.state === "open") return;
  if (issue.pull?.mergedAt) {
    throw invalid("PullRequest", "state", {
      message: "state cannot be changed. The pull request was already merged.",
    });
  }
  issue.state = "open";
  issue.stateReason = issue.pull ? null : "reopened";
  issue.closedBy = null;
  issue.closedByPull = null;
  issue.closedAt = null;
  stampUpdated(world, issue);
  emitIssue(world, repository, issue, sender, "reopened");
}

export function setMilestone(
  world: World,
  repository: Repository,
  sender: Account,
  issue: Issue,
  milestone: Milestone | null,
): void {
  const old = issue.milestone;
  if (old === milestone) return;
  issue.milestone = milestone;
  stampUpdated(world, issue);
  const shown = milestone ?? old;
  if (shown === null) return;
  const action = milestone === null ? "demilestoned" : "milestoned";
  emitIssue(world, repository, issue, sender, action, {
    milestone: renderMilestone(world, repository, shown),
  });
}

export function setLock(
  world: World,
  repository: Repository,
  sender: Account,
  issue: Issue,
  lock: { locked: boolean; reason: Issue["lockReason"] },
): void {
  if (issue.locked === lock.locked) return;
  issue.locked = lock.locked;
  issue.lockReason = lock.locked ? lock.reason : null;
  emitIssue(world, repository, issue, sender, lock.locked ? "locked" : "unlocked");
}

/** Deletes an issue permanently (on GitHub only admins can, on its pages). */
export function deleteIssue(world: World, repository: Repository, sender: Account, issue: Issue): void {
  repository.issues.delete(issue.number);
  emitIssue(world, repository, issue, sender, "deleted");
}
