import { describe, expect, it } from "vitest";
import type { Known } from "../../../src/domain/backfill/missed-by-issue.ts";
import {
  mayHaveMissedReview,
  missedReviews,
  waitsForReview,
} from "../../../src/domain/backfill/missed-by-pull.ts";
import type { GitHubReview } from "../../../src/domain/ports/github.ts";
import { personAs, UNKNOWN_ACCOUNT } from "../../../src/domain/review/reviewer.ts";
import { aDecision } from "../../factories/a-decision.ts";
import { aPerson } from "../../factories/an-occurrence.ts";
import { AT, MINUTE } from "../../factories/moment.ts";
import { anAgent, aTask } from "../../factories/records.ts";
import { known, LATER, review, seen } from "../seen-pulls.ts";

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

  it("is nothing where its author's approval counts, although Flotilla has updated the branch since", () => {
    const verdicts = [{ ...personAs(aPerson("bob")), commit: "d".repeat(40), at: AT }];
    const task = aTask({ state: "APPROVED", reviewCommit: "d".repeat(40), verdicts });
    expect(missedReviews(seen(), [review()], known({ agents: [sleeper], task }))).toEqual([]);
    const requested = review({ verdict: "changes_requested", submittedAt: LATER });
    expect(missedReviews(seen(), [requested], known({ agents: [sleeper], task }))).toHaveLength(1);
  });

  it("is nothing from one who was refused since", () => {
    const refused = aDecision({ lastAt: AT + 2 * MINUTE });
    expect(missedReviews(seen(), [review()], known({ agents: [sleeper], decisions: [refused] }))).toEqual([]);
  });
});

const given = (login: string, approves: boolean, createdAt: number) =>
  [{ ...personAs(aPerson(login)), approves, createdAt }] as const;

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

  it("is held while somebody else asks for changes of that commit, and that is told", () => {
    const alice = aPerson("alice");
    const rejects = review({ id: 56, verdict: "changes_requested", submittedAt: OLD, author: alice });
    expect(names([early, rejects])).toEqual(["rejection-56"]);
    expect(names([early, rejects], { given: given("alice", false, AT) })).toEqual([]);
    const since = review({ submittedAt: new Date(AT + MINUTE).toISOString() });
    expect(names([rejects, since], { given: given("alice", false, AT) })).toEqual([]);
    expect(names([early, rejects, review({ id: 57, submittedAt: OLD, author: alice })])).toEqual([
      "approval-55",
      "approval-57",
    ]);
    const bot = { ...alice, type: "Bot" as const };
    expect(names([early, { ...rejects, author: bot }])).toEqual(["approval-55"]);
    expect(names([early, { ...rejects, commit: "d".repeat(40) }])).toEqual(["approval-55"]);
  });

  it("is nothing more once it is approved, but a request for changes of it is told", () => {
    const alice = aPerson("alice");
    const rejects = review({ id: 56, verdict: "changes_requested", submittedAt: OLD, author: alice });
    const approved = { task: aTask({ state: "APPROVED", reviewCommit: COMMIT }) };
    const ended = { ...approved, agents: [anAgent({ state: "COMPLETED", endedAt: AT })] };
    expect(mayHaveMissedReview(seen(), { ...up, ...ended })).toBe(true);
    expect(names([early, rejects], ended)).toEqual(["rejection-56"]);
    expect(names([early, rejects], approved)).toEqual(["rejection-56"]);
  });

  it("is nothing once its author asked for changes, and stands when they only said more", () => {
    expect(names([early, review({ id: 56, verdict: "changes_requested", submittedAt: OLD })])).toEqual([
      "rejection-56",
    ]);
    expect(names([early, review({ id: 56, verdict: "commented", submittedAt: OLD })])).toEqual([
      "approval-55",
    ]);
  });

  it("is nothing where it was taken before, or the commit was rejected since", () => {
    const [before, since] = [Date.parse(OLD), Date.parse(LATER)];
    expect(names([early], { given: given("bob", true, before) })).toEqual([]);
    expect(names([review()], { given: given("bob", true, since) })).toEqual([]);
    expect(names([early], { given: given("carol", true, before) })).toEqual(["approval-55"]);
    const [taken] = given("bob", true, before);
    expect(names([early], { given: [{ ...taken, reviewer: "bob-before" }] })).toEqual([]);
    expect(names([early], { given: [{ ...taken, account: 6 }] })).toEqual(["approval-55"]);
    expect(names([early], { given: [{ ...taken, account: UNKNOWN_ACCOUNT }] })).toEqual([]);
    expect(names([early], { given: given("carol", false, since) })).toEqual([]);
    expect(names([review()], { given: given("carol", false, before) })).toEqual(["approval-55"]);
  });
});

it("a request for changes of the commit before an update by Flotilla is told as a rejection, an approval is not", () => {
  const [read, now] = ["c".repeat(40), "d".repeat(40)];
  const updated = (state: "APPROVED" | "READY_FOR_REVIEW") =>
    known({
      agents: [anAgent({ state: "COMPLETED", endedAt: AT + MINUTE })],
      task: aTask({ state, reviewCommit: now, carriedFrom: [read] }),
    });
  const asked = review({ verdict: "changes_requested", commit: read, submittedAt: "2020-01-01T00:00:00Z" });
  expect(missedReviews(seen(), [asked], updated("APPROVED"))).toMatchObject([{ name: "rejection-55" }]);
  const lifted = { ...review({ id: 56, commit: read }), submittedAt: asked.submittedAt };
  expect(missedReviews(seen(), [asked, lifted], updated("READY_FOR_REVIEW"))).toEqual([]);
  const rejection = { ...personAs(aPerson("bob")), approves: false, createdAt: AT };
  expect(missedReviews(seen(), [asked], { ...updated("APPROVED"), given: [rejection] })).toEqual([]);
});
