import type { Command } from "../../src/domain/commands/command.ts";
import type { Account } from "../../src/domain/events/account.ts";
import type { DomainEvent, DomainEventOf, IssueFacts } from "../../src/domain/events/domain-event.ts";
import type { RepositoryRow } from "../../src/domain/kernel/rows.ts";
import { AT } from "./moment.ts";

/** Builds a person's account, with a different id for each login. */
export function aPerson(login: string, overrides: Partial<Account> = {}): Account {
  const id = Array.from(login, (letter) => letter.codePointAt(0) ?? 0).reduce(
    (sum, code) => sum * 31 + code,
    7,
  );
  return { id, login, type: "User", ...overrides };
}

export function aRepository(overrides: Partial<RepositoryRow> = {}): RepositoryRow {
  return {
    id: 7,
    owner: "acme",
    name: "shop",
    installationId: 5,
    private: true,
    defaultBranch: "main",
    ...overrides,
  };
}

/** Builds issue 42: open, without labels and assignees. */
export function anIssue(overrides: Partial<IssueFacts> = {}): IssueFacts {
  return {
    number: 42,
    title: "Add a dark mode",
    body: "It is too bright at night.",
    state: "open",
    stateReason: null,
    labels: [],
    assignees: [],
    author: aPerson("alice"),
    locked: false,
    milestone: null,
    url: "https://github.example/acme/shop/issues/42",
    ...overrides,
  };
}

type Occurrences = { readonly [T in DomainEvent["type"]]: DomainEventOf<T> };

const base = {
  delivery: "d-1",
  at: AT,
  repository: aRepository(),
  actor: aPerson("alice"),
  permitted: true,
};

const pull = { pull: 50, headRef: "flotilla/feat-dev/issue-42" };

const occurrences: Occurrences = {
  issue_opened: { ...base, type: "issue_opened", issue: anIssue() },
  issue_labeled: {
    ...base,
    type: "issue_labeled",
    issue: anIssue({ labels: ["feature"] }),
    label: "feature",
    own: false,
    authorPermitted: true,
    personPull: null,
    strangersPulls: [],
  },
  issue_unlabeled: { ...base, type: "issue_unlabeled", issue: anIssue(), label: "feature", own: false },
  issue_closed: {
    ...base,
    type: "issue_closed",
    issue: anIssue({ state: "closed", stateReason: "completed" }),
    mergedPull: null,
  },
  issue_reopened: { ...base, type: "issue_reopened", issue: anIssue(), personPull: null, strangersPulls: [] },
  issue_assigned: { ...base, type: "issue_assigned", issue: anIssue(), assignee: aPerson("bob") },
  issue_gone: { ...base, type: "issue_gone", issue: anIssue(), to: null },
  issue_milestoned: { ...base, type: "issue_milestoned", issue: anIssue() },
  milestone_changed: {
    ...base,
    type: "milestone_changed",
    milestone: { number: 2, title: "First release", dueOn: null },
    change: "edited",
  },
  issue_locked: { ...base, type: "issue_locked", issue: anIssue(), locked: true },
  issue_edited: {
    ...base,
    type: "issue_edited",
    issue: anIssue(),
    was: { title: "Add a dark mode", body: "It is too bright." },
  },
  blocker_changed: {
    ...base,
    type: "blocker_changed",
    issue: anIssue(),
    blocker: { repository: "acme/shop", number: 7 },
    added: true,
    own: false,
  },
  part_changed: {
    ...base,
    type: "part_changed",
    issue: anIssue(),
    part: { repository: "acme/shop", number: 7 },
    added: true,
  },
  commented: {
    ...base,
    type: "commented",
    issue: anIssue(),
    commentId: 900,
    place: "issue",
    url: "https://github.example/acme/shop/issues/42#issuecomment-900",
    body: "Nice idea.",
    command: null,
    mention: false,
    personPull: null,
    strangersPulls: [],
  },
  comment_edited: {
    ...base,
    type: "comment_edited",
    issue: anIssue(),
    commentId: 900,
    url: "https://github.example/acme/shop/issues/42#issuecomment-900",
    body: "- [x] **1** `MIT`",
  },
  proposal_closed: {
    ...base,
    type: "proposal_closed",
    pull: 51,
    headRef: "flotilla/configure",
    merged: true,
  },
  pull_closed: {
    ...base,
    ...pull,
    type: "pull_closed",
    merged: true,
    mergeCommit: "c".repeat(40),
    own: false,
  },
  pushed: { ...base, type: "pushed", headRef: pull.headRef, tip: "d".repeat(40) },
  reverted: { ...base, type: "reverted", commits: ["e".repeat(40)], pulls: [] },
  pull_ready: { ...base, ...pull, type: "pull_ready" },
  pull_drafted: { ...base, ...pull, type: "pull_drafted" },
  checks_changed: { ...base, type: "checks_changed", commit: "c".repeat(40) },
  reviewed: {
    ...base,
    ...pull,
    type: "reviewed",
    ended: null,
    source: "review:1",
    verdict: "commented",
    reviewedCommit: "c".repeat(40),
    body: "Looks fine.",
    url: "https://github.example/acme/shop/pull/50#pullrequestreview-1",
  },
  review_dismissed: {
    ...base,
    ...pull,
    type: "review_dismissed",
    reviewer: aPerson("bob"),
    reviewedCommit: "c".repeat(40),
  },
};

/** Builds an event that alice, who may command, caused on issue 42 or its pull request 50. */
export function aDomainEvent<T extends DomainEvent["type"]>(
  type: T,
  overrides: Partial<Occurrences[T]> = {},
): Occurrences[T] {
  return { ...occurrences[type], ...overrides };
}

/** Builds alice's comment with a command. */
export function aCommand(
  verb: Exclude<Command["verb"], "unknown" | "late">,
  rest = "",
  overrides: Partial<DomainEventOf<"commented">> = {},
): DomainEventOf<"commented"> {
  const body = `/flotilla ${verb} ${rest}`.trim();
  return aDomainEvent("commented", { body, command: { verb, rest }, ...overrides });
}
