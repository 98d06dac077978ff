import { describe, expect, it } from "vitest";
import { approvedText } from "../../../src/domain/tasks/approved-text.ts";
import { aDomainEvent, aPerson } from "../../factories/an-occurrence.ts";

const TYPES = ["issue_opened", "issue_labeled", "issue_reopened", "issue_assigned", "issue_edited"] as const;

const after = (verb: "start" | "why") =>
  approvedText(aDomainEvent("commented", { command: { verb, rest: "" } }));

describe("what an act on an issue approves of its text", () => {
  it.each(TYPES)("is how it reads at that moment, for %s by somebody with permission", (type) => {
    const event = aDomainEvent(type);
    const { title, body, number } = event.issue;
    expect(approvedText(event)).toEqual({
      repositoryId: event.repository.id,
      issue: number,
      title,
      body,
      approvedBy: event.actor.login,
      at: event.at,
    });
    expect(approvedText({ ...event, permitted: false, actor: aPerson("stranger") })).toBeNull();
  });

  it("is nothing for what our own App does", () => {
    expect(approvedText(aDomainEvent("issue_labeled", { own: true }))).toBeNull();
  });

  it("is nothing for a comment, unless it is a command that sets work going", () => {
    expect(approvedText(aDomainEvent("commented", { command: null }))).toBeNull();
    expect(after("start")).not.toBeNull();
    expect(after("why")).toBeNull();
  });

  it("is nothing for what is no act on an issue, or stands for none of it", () => {
    expect(approvedText(aDomainEvent("issue_unlabeled"))).toBeNull();
    expect(approvedText(aDomainEvent("checks_changed"))).toBeNull();
  });
});
