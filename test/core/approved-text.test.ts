import { describe, expect, it } from "vitest";
import { approvedText } from "../../src/core/approved-text.ts";
import { anOccurrence, aPerson } from "../factories/an-occurrence.ts";

const TYPES = ["issue_opened", "issue_labeled", "issue_reopened", "issue_assigned", "issue_edited"] as const;

const after = (verb: "start" | "why") =>
  approvedText(anOccurrence("commented", { command: { verb, rest: "" } }));

describe("what an act on an issue approves of its text", () => {
  it.each(TYPES)("is how it reads at that moment, for %s by somebody with permission", (type) => {
    const occurrence = anOccurrence(type);
    const { title, body, number } = occurrence.issue;
    expect(approvedText(occurrence)).toEqual({
      repositoryId: occurrence.repository.id,
      issue: number,
      title,
      body,
      approvedBy: occurrence.actor.login,
      at: occurrence.at,
    });
    expect(approvedText({ ...occurrence, permitted: false, actor: aPerson("stranger") })).toBeNull();
  });

  it("is nothing for what our own App does", () => {
    expect(approvedText(anOccurrence("issue_labeled", { own: true }))).toBeNull();
  });

  it("is nothing for a comment, unless it is a command that sets work going", () => {
    expect(approvedText(anOccurrence("commented", { command: null }))).toBeNull();
    expect(after("start")).not.toBeNull();
    expect(after("why")).toBeNull();
  });

  it("is nothing for what is no act on an issue, or stands for none of it", () => {
    expect(approvedText(anOccurrence("issue_unlabeled"))).toBeNull();
    expect(approvedText(anOccurrence("checks_changed"))).toBeNull();
  });
});
