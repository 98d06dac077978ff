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

type Type = DomainEvent["type"];
type Own<T extends Type> = Omit<DomainEventOf<T>, keyof typeof base | "type">;

const base = {
  delivery: "d-1",
  at: AT,
  repository: aRepository(),
  actor: aPerson("alice"),
  permitted: true,
};

const pull = { pull: 50, headRef: "flotilla/feat-dev/issue-42" };

/** The fields of each type's own, where several tests need them. */
const rows = {
  issue_opened: { issue: anIssue() },
  issue_labeled: {
    issue: anIssue({ labels: ["feature"] }),
    label: "feature",
    own: false,
    authorPermitted: true,
    personPull: null,
    strangersPulls: [],
  },
  issue_unlabeled: { issue: anIssue(), label: "feature", own: false },
  issue_closed: {
    issue: anIssue({ state: "closed", stateReason: "completed" }),
    mergedPull: null,
  },
  issue_reopened: { issue: anIssue(), personPull: null, strangersPulls: [] },
  issue_assigned: { issue: anIssue(), assignee: aPerson("bob") },
  issue_gone: { issue: anIssue(), to: null },
  issue_milestoned: { issue: anIssue() },
  milestone_changed: {
    milestone: { number: 2, title: "First release", dueOn: null },
    change: "edited",
  },
  issue_locked: { issue: anIssue(), locked: true },
  issue_edited: {
    issue: anIssue(),
    was: { title: "Add a dark mode", body: "It is too bright." },
  },
  blocker_changed: {
    issue: anIssue(),
    blocker: { repository: "acme/shop", number: 7 },
    added: true,
    own: false,
  },
  part_changed: {
    issue: anIssue(),
    part: { repository: "acme/shop", number: 7 },
    added: true,
  },
  commented: {
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
    issue: anIssue(),
    commentId: 900,
    url: "https://github.example/acme/shop/issues/42#issuecomment-900",
    body: "- [x] **1** `MIT`",
  },
  proposal_closed: {
    pull: 51,
    headRef: "flotilla/configure",
    merged: true,
  },
  pull_closed: {
    ...pull,
    merged: true,
    mergeCommit: "c".repeat(40),
    own: false,
  },
  pushed: { headRef: pull.headRef, tip: "d".repeat(40) },
  reverted: { commits: ["e".repeat(40)], pulls: [] },
  pull_ready: { ...pull },
  pull_drafted: { ...pull },
  checks_changed: { commit: "c".repeat(40) },
  reviewed: {
    ...pull,
    ended: null,
    source: "review:1",
    verdict: "commented",
    reviewedCommit: "c".repeat(40),
    body: "Looks fine.",
    url: "https://github.example/acme/shop/pull/50#pullrequestreview-1",
  },
  review_dismissed: {
    ...pull,
    reviewer: aPerson("bob"),
    reviewedCommit: "c".repeat(40),
  },
} satisfies { readonly [T in Type]?: Own<T> };

/** Where no fields are ready for a type, the test gives all of them. */
type Fields<T extends Type> = T extends keyof typeof rows
  ? [fields?: Partial<DomainEventOf<T>>]
  : [fields: Own<T> & Partial<DomainEventOf<T>>];

/** Builds an event that alice, who may command, caused on issue 42 or its pull request 50. */
export function aDomainEvent<T extends Type>(type: T, ...fields: Fields<T>): DomainEventOf<T>;
export function aDomainEvent(type: Type, fields: object = {}): object {
  const own: { readonly [T in Type]?: object } = rows;
  return { ...base, ...own[type], type, ...fields };
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
