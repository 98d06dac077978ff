import { describe, expect, it } from "vitest";
import type { AgentRecord } from "../../../src/domain/agents/agent-record.ts";
import type { Verb } from "../../../src/domain/commands/command.ts";
import { decide } from "../../../src/domain/decide.ts";
import { aView } from "../../factories/a-view.ts";
import { aCommand } from "../../factories/an-occurrence.ts";
import { anAgent } from "../../factories/records.ts";
import { movesOf, rulesOf } from "../kernel/changes-as-text.ts";

const said = (verb: Verb, agents: readonly AgentRecord[]) => decide(aCommand(verb), aView({ agents }));
const inError = (some: Partial<AgentRecord> = {}) =>
  anAgent({ id: 4, state: "SLEEPING", sleepReason: "retry", ...some });

describe("the commands retry and resume for one whose run is in error", () => {
  const incident = {
    by: "incident",
    what: "an incident holds it",
    ends: "it continues when that is over",
  } as const;
  const sprint = { by: "sprint", what: "its sprint is at CHECKPOINT", ends: "`/flotilla continue`" } as const;

  it.each(["retry", "resume"] as const)("%s wakes it at once, whatever it waits for", (verb) => {
    for (const sleepReason of ["retry", "provider_limit"] as const) {
      const changes = said(verb, [inError({ sleepReason })]);
      expect(changes).toMatchObject({ wakes: [{ agentId: 4, reason: "resumed" }], tryNow: [4], moves: [] });
      expect(rulesOf(changes)).toEqual([]);
    }
  });

  it.each(["retry", "resume"] as const)("%s lifts a person's hold with it", (verb) => {
    const changes = said(verb, [inError({ heldBy: ["person"] })]);
    expect(movesOf(changes)).toEqual(["agent 4 RESUME"]);
    expect(changes.tryNow).toEqual([4]);
  });

  it.each(["retry", "resume"] as const)(
    "%s makes it try although an incident holds it, and says of no hold",
    (verb) => {
      const changes = decide(aCommand(verb), aView({ agents: [inError()], around: [incident] }));
      expect(changes.tryNow).toEqual([4]);
      expect(rulesOf(changes)).toEqual([]);
    },
  );

  it.each(["retry", "resume"] as const)("%s leaves it where a sprint holds it", (verb) => {
    const changes = decide(aCommand(verb), aView({ agents: [inError()], around: [sprint] }));
    expect(changes).toMatchObject({ wakes: [], tryNow: [], moves: [] });
    expect(rulesOf(changes)).toHaveLength(1);
  });

  it("tells what a person says with a retry, also to an attempt that is due later", () => {
    const due = anAgent({ id: 5, role: "triage", coder: false, state: "CREATED", dueAt: 1 });
    const { wakes } = decide(aCommand("retry", "Use port 80."), aView({ agents: [inError(), due] }));
    expect(wakes.map(({ agentId, reason }) => `${agentId} ${reason}`)).toEqual([
      "4 resumed",
      "4 message",
      "5 message",
    ]);
  });

  it("begins an attempt that is due later at once, held or not, and where nothing else is tried", () => {
    const due = anAgent({ id: 5, state: "CREATED", dueAt: 1, heldBy: ["person"] });
    const changes = said("retry", [due]);
    expect(movesOf(changes)).toEqual(["agent 5 RESUME", "agent 5 START"]);
    expect(changes.moves[1]?.event).toMatchObject({ actor: "alice" });
    expect(changes).toMatchObject({ wakes: [], tryNow: [] });
    expect(movesOf(said("retry", [{ ...due, dueAt: null }]))).toEqual([]);
  });

  it("begins afresh only what waits for a person beside it", () => {
    const failed = anAgent({ id: 3, state: "FAILED" });
    expect(movesOf(said("retry", [failed, inError()]))).toEqual([]);
    const escalated = anAgent({ id: 3, state: "ESCALATED" });
    const triage = inError({ role: "triage", coder: false });
    const both = said("retry", [escalated, triage]);
    expect(both.tryNow).toEqual([4]);
    expect(movesOf(both)).toContain("agent 3 CANCEL");
  });
});
