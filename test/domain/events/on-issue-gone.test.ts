import { describe, expect, it } from "vitest";
import { decide } from "../../../src/domain/decide.ts";
import { aView } from "../../factories/a-view.ts";
import { aDomainEvent } from "../../factories/an-occurrence.ts";
import { anAgent, aTask } from "../../factories/records.ts";
import { effectsOf, movesOf, rulesOf, wakesOf, whyOf } from "../reactions/told-of.ts";

describe("an issue that is gone", () => {
  it("ends every live agent without a word, then its task, and wakes who waits for it", () => {
    const view = aView({
      agents: [anAgent({ id: 11 }), anAgent({ id: 12, state: "COMPLETED" })],
      task: aTask({ id: 3 }),
      waiting: [anAgent({ id: 13, issue: 50, state: "SLEEPING", sleepReason: "blocked", blockedBy: [42] })],
    });
    const reaction = decide(aDomainEvent("issue_gone"), view);
    expect(movesOf(reaction)).toEqual(["agent 11 CANCEL", "task 3 OBSERVED_CLOSED"]);
    expect(reaction.moves[0]?.event).toMatchObject({ quiet: true, gone: true, why: "the issue was deleted" });
    expect(wakesOf(reaction)).toEqual(["13 blocker"]);
    expect(reaction.wakes[0]?.detail).toBe("#42, which blocked you, was deleted.");
    expect(effectsOf(reaction)).toEqual([]);
    expect(rulesOf(reaction)).toEqual(["issue_gone"]);
    expect(whyOf(reaction)).toBe("@alice deleted the issue / nothing: work for it needs a new issue");
  });

  it("to another repository is said with its new place", () => {
    const reaction = decide(
      aDomainEvent("issue_gone", { to: "acme/other#3" }),
      aView({ agents: [anAgent()] }),
    );
    expect(reaction.moves[0]?.event).toMatchObject({ why: "the issue was transferred to acme/other#3" });
    expect(whyOf(reaction)).toBe(
      "@alice moved the issue to acme/other#3 / label acme/other#3, or say `/flotilla start` there",
    );
  });

  it("leaves a task alone that has ended", () => {
    const reaction = decide(aDomainEvent("issue_gone"), aView({ task: aTask({ state: "MERGED" }) }));
    expect(movesOf(reaction)).toEqual([]);
    expect(rulesOf(reaction)).toEqual(["issue_gone"]);
  });
});
