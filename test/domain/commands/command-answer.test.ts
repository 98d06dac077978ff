import { describe, expect, it } from "vitest";
import type { AgentRecord } from "../../../src/domain/agents/agent-record.ts";
import { notTaken, withReaction } from "../../../src/domain/commands/command-answer.ts";
import { decide } from "../../../src/domain/decide.ts";
import { decisionOnly, NO_CHANGES } from "../../../src/domain/kernel/change-set.ts";
import type { Refusal } from "../../../src/domain/kernel/state-machine.ts";
import { aView } from "../../factories/a-view.ts";
import { aCommand } from "../../factories/an-occurrence.ts";
import { anAgent } from "../../factories/records.ts";
import { saidBy } from "../kernel/changes-as-text.ts";

/** What is said of a command that changes nothing. */
const because = (options: { change?: string }) =>
  saidBy(
    withReaction(
      aCommand("pause", ""),
      "pause",
      decisionOnly("nobody_concerned", "nobody works here", options),
    ),
  );

it("says why nothing comes of a command, and what is meant instead only where that is known", () => {
  expect(because({})).toBe("`/flotilla pause` changes nothing: nobody works here.");
  expect(because({ change: "say start" })).toBe(
    "`/flotilla pause` changes nothing: nobody works here.\n\nInstead: say start.",
  );
});

describe("a command of which the machine refuses every move", () => {
  const refusal: Refusal = {
    ok: false,
    code: "guard_refused",
    machine: "agent",
    state: "SLEEPING",
    event: "RESUME",
    rule: "held",
    reason: "its sprint is at CHECKPOINT",
    keeps: true,
    change: "say `/flotilla continue` on #9",
  };
  const taken = withReaction(aCommand("resume", ""), "resume", {
    ...NO_CHANGES,
    moves: [{ machine: "sprint", id: 1, event: { type: "CONTINUE", at: 0, actor: "alice" } }],
  });

  it("gets the reason and no thumbs up", () => {
    const changes = notTaken(taken, refusal, 0);
    expect(saidBy(changes)).toBe(
      "`/flotilla resume` changes nothing: its sprint is at CHECKPOINT.\n\nInstead: say `/flotilla continue` on #9.",
    );
    const kinds = changes.effects.map((effect) => (effect.kind === "react" ? effect.reaction : effect.kind));
    expect(kinds).toEqual(["post_comment", "confused", "status_comment"]);
  });

  it("keeps its thumbs up where something else came of it", () => {
    const grant = { costMicroUsd: 1, agents: 0, by: "alice" };
    const woken = { ...taken, dayGrants: [grant] };
    expect(notTaken(woken, refusal, 0)).toBe(woken);
    const change = { labels: [], tags: ["x"], unlabel: [], untag: [] };
    const set = { ...taken, attributes: [{ agentId: 11, change }] };
    expect(notTaken(set, refusal, 0)).toBe(set);
  });
});

describe("a resume of a held agent", () => {
  const around = [
    { by: "pause", what: "everything is paused by alice", ends: "`flotilla resume --all` lifts it" },
  ] as const;
  const resume = (agent: AgentRecord) =>
    saidBy(decide(aCommand("resume", ""), aView({ agents: [agent], around })));

  it("that lifts a person's pause names what holds it on", () => {
    const paused = anAgent({ state: "SLEEPING", sleepReason: "paused", heldBy: ["person"] });
    expect(resume(paused)).toBe(
      "`/flotilla resume` is taken, and the work waits on: everything is paused by alice.\n\nWhat ends that: `flotilla resume --all` lifts it.",
    );
  });

  it("that lifts nothing is refused with what ends the hold", () => {
    expect(resume(anAgent({ state: "SLEEPING", sleepReason: "paused" }))).toBe(
      "`/flotilla resume` changes nothing: feat-dev-issue-42 is held: everything is paused by alice.\n\nInstead: `flotilla resume --all` lifts it.",
    );
  });
});
