import { describe, expect, it } from "vitest";
import type { DomainEvent } from "../../../src/domain/events/domain-event.ts";
import { touchOf } from "../../../src/domain/reporting/touch.ts";
import { aDomainEvent, aPerson } from "../../factories/an-occurrence.ts";
import { anAgent } from "../../factories/records.ts";

const view = { issue: 42, agents: [anAgent()] };
const kindOf = (event: DomainEvent) => touchOf(event, view)?.kind ?? null;
const after = (verb: "answer" | "approve" | "deny" | "retry") =>
  aDomainEvent("commented", { command: { verb, rest: "" } });

describe("what a person did for the work", () => {
  it("is kept with the issue, the moment and a key of what was done", () => {
    const event = aDomainEvent("commented", { command: null, commentId: 9 });
    const { repository, at } = event;
    expect(touchOf(event, view)).toEqual({
      repositoryId: repository.id,
      issue: 42,
      kind: "comment",
      key: "comment:9",
      at,
    });
  });

  it("is a command, an answer or an approval, as the comment says", () => {
    expect([after("retry"), after("answer"), after("approve"), after("deny")].map(kindOf)).toEqual([
      "command",
      "answer",
      "approval",
      "approval",
    ]);
    expect(kindOf(aDomainEvent("comment_edited"))).toBe("answer");
  });

  it("is a review, a push, a merge", () => {
    const review = aDomainEvent("reviewed", { source: "review:5" });
    expect(touchOf(review, view)).toMatchObject({ kind: "review", key: "review:5" });
    expect(kindOf(aDomainEvent("pushed", { tip: "a".repeat(40), permitted: false }))).toBe("push");
    expect(kindOf(aDomainEvent("pull_closed", { merged: true, own: false }))).toBe("merge");
  });

  it("is nothing when it was no person, or nobody who may steer", () => {
    const bot = { actor: aPerson("renovate", { type: "Bot" }) };
    expect(kindOf({ ...after("retry"), ...bot })).toBeNull();
    expect(kindOf(aDomainEvent("pushed", { tip: "a".repeat(40), ...bot }))).toBeNull();
    expect(kindOf({ ...after("retry"), permitted: false })).toBeNull();
  });

  it("is nothing when a branch is deleted, a request closed or merged by us, a label put", () => {
    expect(kindOf(aDomainEvent("pushed", { tip: null }))).toBeNull();
    expect(kindOf(aDomainEvent("pull_closed", { merged: false, own: false }))).toBeNull();
    expect(kindOf(aDomainEvent("pull_closed", { merged: true, own: true }))).toBeNull();
    expect(kindOf(aDomainEvent("issue_labeled"))).toBeNull();
  });

  it("is of the issue's agents: where there are none, only a command counts, and nothing on no issue", () => {
    const nobody = { issue: 42, agents: [] };
    expect(touchOf(after("retry"), nobody)?.kind).toBe("command");
    expect(touchOf(aDomainEvent("commented", { command: null }), nobody)).toBeNull();
    expect(touchOf(after("retry"), { ...view, issue: 0 })).toBeNull();
  });
});
