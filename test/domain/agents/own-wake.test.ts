import { describe, expect, it } from "vitest";
import { COUNTED_WAKES, SLEEP_REASONS, WAKE_REASONS } from "../../../src/domain/agents/agent-record.ts";
import { leadingWake, notItsWake, resumes } from "../../../src/domain/agents/own-wake.ts";

const wakes = (...reasons: readonly (typeof WAKE_REASONS)[number][]) => reasons.map((reason) => ({ reason }));

/** What wakes one that is blocked. */
const lead = (...pending: readonly (typeof WAKE_REASONS)[number][]) =>
  leadingWake({ sleepReason: "blocked" }, wakes(...pending))?.reason;

describe("of several wakes", () => {
  it("one that ends the sleep leads, whatever came before it and after it", () => {
    for (const sleepReason of SLEEP_REASONS)
      for (const own of WAKE_REASONS.filter((reason) => notItsWake({ sleepReason }, reason) === null))
        for (const other of WAKE_REASONS)
          for (const pending of [wakes(other, own), wakes(own, other)]) {
            const leading = leadingWake({ sleepReason }, pending);
            expect(leading && notItsWake({ sleepReason }, leading.reason)).toBeNull();
          }
  });

  it("each sleep has one that ends it", () => {
    for (const sleepReason of SLEEP_REASONS)
      expect(WAKE_REASONS.filter((reason) => notItsWake({ sleepReason }, reason) === null)).not.toEqual([]);
  });

  it("one that costs no iteration leads before one that does, and a message last", () => {
    expect(COUNTED_WAKES).toContain("blocker");
    expect(lead("message", "blocker", "restart")).toBe("restart");
    expect(lead("message", "blocker")).toBe("blocker");
    expect(lead("message")).toBe("message");
    expect(lead()).toBeUndefined();
  });

  it("the first that is news leads where none ends the sleep, so that it is told why it does not", () => {
    const pending = wakes("message", "answer");
    expect(leadingWake({ sleepReason: "retry" }, pending)?.reason).toBe("answer");
    expect(notItsWake({ sleepReason: "retry" }, "answer")).toBe("it pauses after a failure (retry)");
  });
});

it("says in words what a sleep waits for", () => {
  expect(notItsWake({ sleepReason: "approval" }, "message")).toBe("it waits for its own wake (approval)");
  expect(notItsWake({ sleepReason: "approval" }, "restart")).toBe("it waits for a person's approval");
  expect(notItsWake({ sleepReason: "provider_limit" }, "checks")).toBe(
    "it pauses after a failure (provider_limit)",
  );
  expect(notItsWake({ sleepReason: null }, "message")).toBeNull();
});

const resuming = (category: string | null) => WAKE_REASONS.filter((reason) => resumes({ category }, reason));

describe("an escalated agent", () => {
  it("continues when a person says something", () => {
    expect(resuming("decision")).toEqual(expect.arrayContaining(["answer", "message", "resumed", "review"]));
    expect(resuming("decision")).not.toContain("blocker");
  });

  it("continues after its deadline when what it waited for happens", () => {
    expect(resuming("expired")).toEqual(expect.arrayContaining(["blocker", "checks", "answer"]));
  });

  it("does not continue after its last rejection because of one more review", () => {
    expect(resuming("review_deadlock")).not.toContain("review");
    expect(resuming("review_deadlock")).toEqual(expect.arrayContaining(["answer", "message", "resumed"]));
  });
});
