import { describe, expect, it } from "vitest";
import { decide } from "../../../src/domain/decide.ts";
import { aView } from "../../factories/a-view.ts";
import { aDomainEvent, anIssue, aPerson } from "../../factories/an-occurrence.ts";
import { anAgent } from "../../factories/records.ts";
import { rulesOf, wakesOf, whyOf } from "../reactions/told-of.ts";

const edited = aDomainEvent("issue_edited");

describe("an issue that is edited", () => {
  it("by a permitted person is a message to its agents, with what changed", () => {
    const reaction = decide(edited, aView({ agents: [anAgent({ id: 11 })] }));
    expect(wakesOf(reaction)).toEqual(["11 message"]);
    expect(reaction.wakes[0]?.detail).toContain("@alice edited the issue");
    expect(reaction.wakes[0]?.detail).toContain("> It is too bright at night.");
  });

  it("by anybody else is only noted", () => {
    const stranger = { actor: aPerson("stranger"), permitted: false };
    const reaction = decide({ ...edited, ...stranger }, aView({ agents: [anAgent()] }));
    expect(wakesOf(reaction)).toEqual([]);
    expect(rulesOf(reaction)).toEqual(["not_permitted"]);
  });

  it("answers no agent that waits for a person, and says what would", () => {
    const view = aView({ agents: [anAgent({ state: "ESCALATED" })] });
    const reaction = decide(edited, view);
    expect(wakesOf(reaction)).toEqual([]);
    expect(rulesOf(reaction)).toEqual(["waits_for_person"]);
    expect(whyOf(reaction)).toContain("/flotilla resume");
  });

  it("tells nothing where neither title nor text changed, and nobody where nobody works", () => {
    const same = { title: anIssue().title, body: anIssue().body };
    const view = aView({ agents: [anAgent()] });
    expect(rulesOf(decide({ ...edited, was: same }, view))).toEqual(["nothing_changed"]);
    expect(rulesOf(decide(edited, aView({ agents: [anAgent({ state: "COMPLETED" })] })))).toEqual([
      "nobody_concerned",
    ]);
  });
});
