import { describe, expect, it } from "vitest";
import { SLEEP_REASONS, WAKE_REASONS } from "../../../src/domain/agents/agent-record.ts";
import type { TransitionRow } from "../../../src/domain/kernel/rows.ts";
import {
  storyOfDecision,
  storyOfMissing,
  storyOfMove,
  storyOfWake,
} from "../../../src/domain/reporting/story.ts";

type Moved = Parameters<typeof storyOfMove>[0];

const move = (from: string, to: string, more: Partial<Moved> = {}): Moved => ({
  machine: "agent",
  actor: "flotilla",
  event: "ANY",
  from,
  to,
  reason: null,
  ...more,
});
const told = (given: Moved, breaker?: string) => {
  const line = storyOfMove(given, breaker);
  return line === null ? null : [line.what, line.why, line.by].filter((part) => part !== null).join(" | ");
};

describe("an operator reads", () => {
  it.each([
    [move("(new)", "CREATED", { event: "CREATE", actor: "octocat" }), "is created | octocat"],
    [move("CREATED", "ACTIVE", { event: "START" }), "starts work"],
    [
      move("ACTIVE", "SLEEPING", { event: "BLOCKED", reason: "#2: it comes first" }),
      "sleeps | waits for #2: it comes first",
    ],
    [move("ACTIVE", "SLEEPING", { event: "WAIT", reason: "question: MIT?" }), "asks a person | MIT?"],
    [
      move("ACTIVE", "SLEEPING", { event: "WAIT", reason: "approval: git push" }),
      "asks for an approval | git push",
    ],
    [
      move("ACTIVE", "SLEEPING", { event: "WAIT", reason: "retry: the model is down" }),
      "sleeps | tries again later: the model is down",
    ],
    [move("ACTIVE", "SLEEPING", { event: "WAIT", reason: "review:" }), "sleeps | waits for a review"],
    [
      move("ACTIVE", "SLEEPING", { event: "PAUSE", actor: "mona", reason: "wait a moment" }),
      "is paused | wait a moment | mona",
    ],
    [
      move("SLEEPING", "ACTIVE", { event: "WAKE", reason: "blocker" }),
      "wakes | the issue that it waited for is closed",
    ],
    [move("ESCALATED", "ACTIVE", { event: "RESUME" }), "continues | a person has answered"],
    [move("SLEEPING", "ACTIVE", { event: "RESUME", actor: "operator:root" }), "continues | operator:root"],
    [
      move("ACTIVE", "ESCALATED", { event: "ESCALATE", reason: "which licence?" }),
      "needs a person | which licence?",
    ],
    [move("ACTIVE", "COMPLETED", { reason: "It is there." }), "is done | It is there."],
    [move("ACTIVE", "FAILED", { reason: "too long" }), "has failed | too long"],
    [
      move("SLEEPING", "CANCELLED", { actor: "mona", reason: "not needed" }),
      "is cancelled | not needed | mona",
    ],
    [move("READY_FOR_REVIEW", "APPROVED", { machine: "task", actor: "agent" }), "work is approved"],
    [
      move("READY_FOR_REVIEW", "REJECTED", { machine: "task", actor: "mona", reason: "no test" }),
      "changes are requested | no test | mona",
    ],
    [move("APPROVED", "MERGED", { machine: "task", actor: "flotilla[bot]" }), "work is merged"],
    [move("PLANNED", "ACTIVE", { machine: "sprint" }), "sprint is ACTIVE"],
  ])("%j as %s", (given, text) => {
    expect(told(given)).toBe(text);
  });

  it("which limit stopped an agent", () => {
    const stopped = move("ACTIVE", "SLEEPING", { event: "WAIT", reason: "approval: it used 50 of 50" });
    expect(told(stopped, "max_turns")).toBe("has reached a limit | max_turns: it used 50 of 50");
  });

  it("why an agent sleeps or wakes, whatever the reason, in words and not by its name", () => {
    for (const reason of SLEEP_REASONS)
      expect(told(move("ACTIVE", "SLEEPING", { event: "WAIT", reason: `${reason}: x` }))).toMatch(/\| .*x$/);
    for (const reason of WAKE_REASONS) {
      const line = storyOfMove(move("SLEEPING", "ACTIVE", { event: "WAKE", reason }));
      expect(line?.why).toContain(" ");
      expect(WAKE_REASONS).not.toContain(line?.why);
    }
  });

  it.each<Partial<TransitionRow>>([
    { machine: "run", from: "idle", to: "initializing" },
    { machine: "session", from: "starting", to: "running" },
    { machine: "review_lease", from: "FREE", to: "HELD" },
    { machine: "task", from: "UNCLAIMED", to: "CLAIMED" },
    { machine: "agent", from: "ACTIVE", to: "ACTIVE" },
  ])("nothing of %j, which is a step within another", (given) => {
    expect(storyOfMove({ ...move("", ""), ...given })).toBeNull();
  });

  it("decisions about which a person can do something, with their reason", () => {
    const decision = {
      rule: "no_role",
      reason: "no label of this issue\nnames a role",
      change: null,
    } as const;
    expect(storyOfDecision(decision)).toEqual({
      what: "not started: no role",
      why: "no label of this issue names a role",
      by: null,
    });
    expect(storyOfDecision({ ...decision, rule: "own_act", change: "say `/flotilla start`" })).toBeNull();
    expect(storyOfDecision({ ...decision, rule: "merged", change: "nothing: it is done" })).toBeNull();
  });

  it("what people tell an agent, and no other cause of a wake", () => {
    expect(storyOfWake({ reason: "answer", detail: "@mona says:\n\nMIT" })).toMatchObject({
      what: "gets an answer",
      why: "@mona says: MIT",
    });
    expect(storyOfWake({ reason: "checks", detail: "green" })).toBeNull();
  });

  it("what a claim lacks", () => {
    expect(storyOfMissing({ kind: "empty_diff" })).toMatchObject({ what: "is not done yet" });
  });

  it("long texts cut, on one line", () => {
    const line = storyOfMove(move("ACTIVE", "COMPLETED", { reason: `a\r\nb ${"x".repeat(500)}` }));
    expect(line?.why).toMatch(/^a b x+…$/);
    expect(line?.why).toHaveLength(200);
  });
});
