import { describe, expect, it } from "vitest";
import { agentMachine, newAgentRecord } from "../../../src/domain/agents/agent.ts";
import type { ResolvedAgentEvent } from "../../../src/domain/agents/agent-event.ts";
import {
  type AgentRecord,
  COUNTED_WAKES,
  SLEEP_REASONS,
  WAKE_REASONS,
} from "../../../src/domain/agents/agent-record.ts";
import { step } from "../../../src/domain/kernel/state-machine.ts";
import { anAgent } from "../../factories/records.ts";
import { LIMITS } from "../../factories/some-settings.ts";
import { surroundings } from "../../factories/surroundings.ts";
import { agentEvent } from "../machines/agent-events.ts";
import { moved } from "../machines/moved.ts";

const PAUSED = { by: "pause", what: "the repository is paused", ends: "`flotilla resume`" } as const;

const take = (agent: AgentRecord, event: ResolvedAgentEvent) =>
  step(agentMachine, agent, event, newAgentRecord);
const sleeping = (overrides: Partial<AgentRecord> = {}) => anAgent({ state: "SLEEPING", ...overrides });

describe("a sleeper does not wake", () => {
  it.each(["held", "slot"] as const)("when refused for its %s, and keeps the wish", (rule) => {
    const around = surroundings(rule === "held" ? { held: [PAUSED] } : { slot: "none is free" });
    expect(take(sleeping(), agentEvent("WAKE", { around }))).toMatchObject({ rule, keeps: true });
  });

  it("while somebody holds it, even when its wakes are spent", () => {
    const held = sleeping({ heldBy: ["person"], wakes: 9 });
    expect(take(held, agentEvent("WAKE", { reason: "blocker" }))).toMatchObject({
      rule: "held",
      keeps: true,
    });
  });

  it("while its scope is held, even when its wakes are spent", () => {
    const around = surroundings({ held: [PAUSED] });
    expect(take(sleeping({ wakes: 9 }), agentEvent("WAKE", { reason: "blocker", around }))).toMatchObject({
      rule: "held",
      keeps: true,
    });
  });

  it.each(SLEEP_REASONS)("by a message out of a sleep for %s, unless a message may end it", (sleepReason) => {
    const mayEnd = ["blocked", "review", "question", "checks", "time"].includes(sleepReason);
    expect(take(sleeping({ sleepReason }), agentEvent("WAKE", { reason: "message" }))).toMatchObject(
      mayEnd
        ? { ok: true }
        : { rule: "own_wake", reason: `it waits for its own wake (${sleepReason})`, keeps: true },
    );
  });

  it.each(WAKE_REASONS)("by %s out of a sleep for approval, unless it is the approval", (reason) => {
    const result = take(sleeping({ sleepReason: "approval" }), agentEvent("WAKE", { reason }));
    expect(result).toMatchObject(
      reason === "approval" ? { ok: true } : { ok: false, rule: "own_wake", keeps: true },
    );
  });

  describe.each(["retry", "provider_limit"] as const)(
    "out of a pause after a failure (%s)",
    (sleepReason) => {
      it.each(WAKE_REASONS)("by %s, unless it ends the pause", (reason) => {
        const ends = ["retry", "limit_reset", "resumed"].includes(reason);
        expect(take(sleeping({ sleepReason }), agentEvent("WAKE", { reason }))).toMatchObject(
          ends ? { ok: true } : { ok: false, rule: "own_wake", keeps: true },
        );
      });
    },
  );

  it.each(WAKE_REASONS)("by %s into work once its wakes are spent, if that reason counts", (reason) => {
    const spent = sleeping({ sleepReason: "blocked", wakes: 5 });
    const { snapshot } = moved(take(spent, agentEvent("WAKE", { reason })));
    expect(snapshot.state).toBe(COUNTED_WAKES.includes(reason) ? "ESCALATED" : "ACTIVE");
    const left = moved(take({ ...spent, wakes: 4 }, agentEvent("WAKE", { reason })));
    expect(left.snapshot.state).toBe("ACTIVE");
  });

  it("into an escalation for want of a slot: that needs none", () => {
    const around = surroundings({ slot: "none is free" });
    const wake = agentEvent("WAKE", { reason: "blocker", around });
    expect(moved(take(sleeping({ wakes: 5 }), wake)).snapshot.state).toBe("ESCALATED");
  });

  it.each(["answer", "message"] as const)("into an escalation by %s, which costs no wake", (reason) => {
    const around = surroundings({ slot: "none is free" });
    const result = take(sleeping({ wakes: 9 }), agentEvent("WAKE", { reason, around }));
    expect(result).toMatchObject({ rule: "slot", keeps: true });
  });

  it("in vain when a person granted more wakes", () => {
    const granted = sleeping({ wakes: 5, extraWakes: 1 });
    expect(moved(take(granted, agentEvent("WAKE", { reason: "checks" }))).snapshot.state).toBe("ACTIVE");
  });
});

it("the limit of wakes is the role's", () => {
  const around = surroundings({ limits: { ...LIMITS, maxIterations: 1 } });
  const wake = agentEvent("WAKE", { reason: "time", around });
  expect(moved(take(sleeping({ wakes: 1 }), wake)).snapshot.state).toBe("ESCALATED");
});
