import { describe, expect, it } from "vitest";
import type { Known } from "../../src/core/missed-by-issue.ts";
import {
  mayHaveMissedPull,
  mayHaveMissedReview,
  missedByPull,
  missedReviews,
  waitsForReview,
} from "../../src/core/missed-by-pull.ts";
import type { GitHubEvent, GitHubPullRequest, GitHubReview } from "../../src/core/ports/github.ts";
import { aDecision } from "../factories/a-decision.ts";
import { aPerson, aRepository } from "../factories/an-occurrence.ts";
import { AT, MINUTE } from "../factories/moment.ts";
import { anAgent, aTask } from "../factories/records.ts";

const agent = anAgent({ createdAt: AT });
const HEAD = agent.branch ?? "";
const LATER = `${new Date(AT + MINUTE).toISOString().slice(0, 19)}Z`;

function known(overrides: Partial<Known> = {}): Known {
  return {
    agents: [agent],
    task: null,
    decisions: [],
    given: [],
    resuming: new Set(),
    escalationLabel: "needs-human",
    botId: 41,
    ...overrides,
  };
}

const seen = (pull: Partial<GitHubPullRequest> = {}) => ({
  repository: aRepository(),
  pull: {
    number: 50,
    title: "Dark mode",
    body: "",
    state: "open" as const,
    merged: false,
    draft: false,
    author: aPerson("flotilla[bot]"),
    headRef: HEAD,
    headSha: "d".repeat(40),
    headRepository: "Acme/Shop",
    baseRef: "main",
    url: "https://github.example/acme/shop/pull/50",
    createdAt: LATER,
    asked: [],
    ...pull,
  },
});

const event = (name: string, overrides: Partial<GitHubEvent> = {}): GitHubEvent => ({
  id: 9,
  event: name,
  actor: aPerson("bob"),
  createdAt: LATER,
  label: null,
  assignee: null,
  commit: null,
  ...overrides,
});

const MERGED = seen({ state: "closed", merged: true });
const CLOSED = seen({ state: "closed" });
const merge = [event("merged", { commit: "e".repeat(40) }), event("closed", { id: 10 })];
const over = known({ agents: [anAgent({ state: "COMPLETED" })], task: aTask({ state: "MERGED" }) });

const decision = (rule: "pull_draft" | "locked", lastAt: number) => [aDecision({ rule, lastAt })];

const review = (overrides: Partial<GitHubReview> = {}): GitHubReview => ({
  id: 55,
  author: aPerson("bob"),
  verdict: "approved",
  commit: "c".repeat(40),
  body: "Fine.",
  submittedAt: LATER,
  url: "https://github.example/r/55",
  ...overrides,
});

describe("the end of a pull request", () => {
  it("is told with who merged it and into what", () => {
    expect(missedByPull(MERGED, merge, known())).toEqual([
      {
        name: "event-9",
        event: "pull_request",
        action: "closed",
        number: 50,
        sender: aPerson("bob"),
        fields: {
          pull_request: {
            number: 50,
            merged: true,
            merge_commit_sha: "e".repeat(40),
            head: { ref: HEAD, repo: { id: 7 } },
          },
        },
      },
    ]);
  });

  it("without a merge is told without a commit", () => {
    const [told] = missedByPull(CLOSED, [event("closed", { commit: "e".repeat(40) })], known());
    expect(told?.fields).toMatchObject({ pull_request: { merged: false, merge_commit_sha: null } });
  });

  it("of work whose agent has ended is told to a task that it still means something to", () => {
    const ended = (state: "READY_FOR_REVIEW" | "UNCLAIMED" | "MERGED") =>
      known({ agents: [anAgent({ state: "COMPLETED" })], task: aTask({ state, createdAt: AT }) });
    expect(missedByPull(CLOSED, [event("closed")], ended("READY_FOR_REVIEW"))).toHaveLength(1);
    expect(missedByPull(CLOSED, [event("closed")], ended("UNCLAIMED"))).toEqual([]);
    expect(missedByPull(MERGED, merge, ended("UNCLAIMED"))).toHaveLength(1);
    expect(missedByPull(MERGED, merge, ended("MERGED"))).toEqual([]);
    expect(
      missedByPull(CLOSED, [event("closed")], known({ agents: [anAgent({ state: "COMPLETED" })] })),
    ).toEqual([]);
    expect(missedByPull(MERGED, merge, known({ agents: [], task: aTask() }))).toEqual([]);
    expect(missedByPull(MERGED, merge, known({ agents: [anAgent({ state: "FAILED" })] }))).toEqual([]);
  });

  it("is nothing that an agent which began later has not met, nor before GitHub's list has it", () => {
    const later = known({ agents: [anAgent({ createdAt: AT + 2 * MINUTE })] });
    expect(missedByPull(MERGED, merge, later)).toEqual([]);
    expect(missedByPull(MERGED, [event("closed")], known())).toEqual([]);
  });

  it("is looked for only where it can be missed", () => {
    expect(mayHaveMissedPull(MERGED, known())).toBe(true);
    expect(mayHaveMissedPull(seen(), known())).toBe(false);
    expect(mayHaveMissedPull(MERGED, over)).toBe(false);
    expect(mayHaveMissedPull(seen({ state: "closed", headRef: "other" }), known())).toBe(false);
  });
});

describe("a pull request that was made a draft", () => {
  const draft = seen({ draft: true, headRepository: null });
  const drafted = [event("ready_for_review", { id: 8 }), event("convert_to_draft")];

  it("is told once", () => {
    expect(missedByPull(draft, drafted, known())).toMatchObject([
      { action: "converted_to_draft", fields: { pull_request: { head: { repo: null } } } },
    ]);
    const met = { decisions: decision("pull_draft", AT + 2 * MINUTE) };
    expect(missedByPull(draft, drafted, known(met))).toEqual([]);
    for (const decisions of [decision("pull_draft", AT), decision("locked", AT + 2 * MINUTE)])
      expect(missedByPull(draft, drafted, known({ decisions }))).toHaveLength(1);
  });

  it("is nothing when it began as one, is ready again, or has ended", () => {
    expect(missedByPull(draft, [], known())).toEqual([]);
    expect(missedByPull(draft, drafted.toReversed(), known())).toEqual([]);
    expect(missedByPull(seen({ draft: true, state: "closed" }), drafted, known())).toEqual([]);
    expect(missedByPull(draft, drafted, over)).toEqual([]);
    expect(
      missedByPull(draft, drafted, known({ agents: [anAgent({ createdAt: AT + 2 * MINUTE })] })),
    ).toEqual([]);
  });
});

describe("a review", () => {
  const sleeper = anAgent({ state: "SLEEPING", sleepReason: "review", sleepingSince: AT });

  it("is told to one that sleeps for it", () => {
    expect(missedReviews(seen(), [review()], known({ agents: [sleeper] }))).toMatchObject([
      {
        name: "review-55",
        event: "pull_request_review",
        action: "submitted",
        number: 50,
        sender: { login: "bob" },
        fields: {
          review: {
            id: 55,
            state: "approved",
            commit_id: "c".repeat(40),
            body: "Fine.",
            html_url: "https://github.example/r/55",
          },
        },
      },
    ]);
  });

  it("is told to work that is up for review though its agent has ended", () => {
    const ended = anAgent({ state: "COMPLETED", endedAt: AT });
    const up = known({ agents: [ended], task: aTask({ state: "READY_FOR_REVIEW" }) });
    expect(missedReviews(seen(), [review()], up)).toHaveLength(1);
    expect(waitsForReview(seen(), { ...up, task: null })).toBeNull();
    expect(
      waitsForReview(seen(), known({ agents: [anAgent({ state: "SLEEPING", sleepReason: "time" })] })),
    ).toBeNull();
  });

  it("is nothing from before, from ourselves, with another verdict, or to one that does not wait", () => {
    const before = review({ submittedAt: "2020-01-01T00:00:00Z" });
    const ours = review({ author: aPerson("flotilla[bot]", { id: 41 }) });
    const none = review({ verdict: "dismissed" });
    expect(missedReviews(seen(), [before, ours, none], known({ agents: [sleeper] }))).toEqual([]);
    expect(missedReviews(seen(), [review()], known())).toEqual([]);
  });

  it("is nothing from one who was refused since", () => {
    const refused = aDecision({ lastAt: AT + 2 * MINUTE });
    expect(missedReviews(seen(), [review()], known({ agents: [sleeper], decisions: [refused] }))).toEqual([]);
  });
});

const given = (reviewer: string, approves: boolean, createdAt: number) => [{ reviewer, approves, createdAt }];

describe("an approval of the commit under review", () => {
  const COMMIT = "c".repeat(40);
  const OLD = "2020-01-01T00:00:00Z";
  const sleeper = anAgent({ state: "SLEEPING", sleepReason: "review", sleepingSince: AT });
  const up = known({ agents: [sleeper], task: aTask({ state: "READY_FOR_REVIEW", reviewCommit: COMMIT }) });
  const early = review({ submittedAt: OLD });
  const names = (reviews: readonly GitHubReview[], overrides: Partial<Known> = {}) =>
    missedReviews(seen(), reviews, { ...up, ...overrides }).map(({ name }) => name);

  it("is told whenever it was given, also where nobody sleeps for it", () => {
    expect(names([early])).toEqual(["approval-55"]);
    const working = { ...up, agents: [anAgent({ state: "ACTIVE" })] };
    expect([names([early], working), mayHaveMissedReview(seen(), working)]).toEqual([["approval-55"], true]);
  });

  it("is nothing where its commit is not up for review, or its pull request is none of ours", () => {
    const working = known({ agents: [anAgent({ state: "ACTIVE" })], task: aTask({ state: "CLAIMED" }) });
    expect(mayHaveMissedReview(seen(), working)).toBe(false);
    expect(names([review({ submittedAt: OLD, commit: "d".repeat(40) })])).toEqual([]);
    expect(mayHaveMissedReview(seen({ headRef: "other" }), up)).toBe(false);
    expect(names([early], { task: aTask({ state: "APPROVED", reviewCommit: COMMIT }) })).toEqual([]);
  });

  it("is nothing once its author asked for changes, and stands when they only said more", () => {
    expect(names([early, review({ id: 56, verdict: "changes_requested", submittedAt: OLD })])).toEqual([]);
    expect(names([early, review({ id: 56, verdict: "commented", submittedAt: OLD })])).toEqual([
      "approval-55",
    ]);
  });

  it("is nothing where it was taken before, or the commit was rejected since", () => {
    const [before, since] = [Date.parse(OLD), Date.parse(LATER)];
    expect(names([early], { given: given("bob", true, before) })).toEqual([]);
    expect(names([review()], { given: given("bob", true, since) })).toEqual([]);
    expect(names([early], { given: given("carol", true, before) })).toEqual(["approval-55"]);
    expect(names([early], { given: given("carol", false, since) })).toEqual([]);
    expect(names([review()], { given: given("carol", false, before) })).toEqual(["approval-55"]);
  });
});
