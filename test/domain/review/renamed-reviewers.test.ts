import { expect, it } from "vitest";
import { decide } from "../../../src/domain/decide.ts";
import { personAs } from "../../../src/domain/review/reviewer.ts";
import { aView } from "../../factories/a-view.ts";
import { aDomainEvent, aPerson } from "../../factories/an-occurrence.ts";
import { anAgent, aTask } from "../../factories/records.ts";
import { effectsOf, movesOf, rulesOf } from "../kernel/changes-as-text.ts";

const COMMIT = "c".repeat(40);
const alice = personAs(aPerson("alice"));
const bob = personAs(aPerson("bob"));
const carol = personAs(aPerson("carol"));
const approved = aDomainEvent("reviewed", { verdict: "approved" });
const dismissed = aDomainEvent("review_dismissed");
const waiting = {
  agents: [anAgent({ state: "SLEEPING", sleepReason: "review" })],
  task: aTask({ state: "READY_FOR_REVIEW", reviewCommit: COMMIT }),
};

it("a request for changes is its author's own under another login, and another's who has that login by now", () => {
  const renamed = { ...alice, reviewer: "alice-before" };
  expect(movesOf(decide(approved, aView({ ...waiting, rejectedBy: [renamed] })))).toEqual([
    "task 41 APPROVE",
  ]);
  const other = { ...carol, reviewer: "alice" };
  expect(rulesOf(decide(approved, aView({ ...waiting, rejectedBy: [other] })))).toEqual([
    "changes_requested",
  ]);
});

it("a request for changes is dismissed though its author has another login by then", () => {
  const view = aView({ ...waiting, rejectedBy: [{ ...bob, reviewer: "bob-before" }] });
  expect(effectsOf(decide(dismissed, view))).toEqual(["look_at_issue", "status_comment"]);
});

it("a dismissal voids the approval of an account that had another login then, not that of who has the login by now", () => {
  const movesWith = (reviewer: typeof bob) => {
    const verdicts = [{ ...reviewer, commit: COMMIT, at: 1 }];
    const task = aTask({ state: "APPROVED", reviewCommit: COMMIT, verdicts });
    return movesOf(decide(dismissed, aView({ ...waiting, task })));
  };
  expect(movesWith({ ...bob, reviewer: "bob-before" })).toEqual(["task 41 NEW_COMMIT"]);
  expect(movesWith({ ...carol, reviewer: "bob" })).toEqual([]);
});
