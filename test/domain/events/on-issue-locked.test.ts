import { describe, expect, it } from "vitest";
import { decide } from "../../../src/domain/decide.ts";
import { aView } from "../../factories/a-view.ts";
import { aDomainEvent } from "../../factories/an-occurrence.ts";
import { anAgent } from "../../factories/records.ts";
import { effectsOf, movesOf, rulesOf, whyOf } from "../reactions/told-of.ts";

const unlocked = aDomainEvent("issue_locked", { locked: false });

describe("an issue that is locked", () => {
  it("holds its agents, whoever locked it, and says who did and what lifts it", () => {
    const agents = [anAgent({ id: 11 }), anAgent({ id: 12, state: "ESCALATED" })];
    const reaction = decide(aDomainEvent("issue_locked", { permitted: false }), aView({ agents }));
    expect(movesOf(reaction)).toEqual(["agent 11 PAUSE"]);
    expect(reaction.moves[0]?.event).toMatchObject({ holder: "lock", why: "@alice locked the issue" });
    expect(rulesOf(reaction)).toEqual(["locked"]);
    expect(whyOf(reaction)).toContain("unlocking it");
    expect(effectsOf(reaction)).toEqual(["status_comment"]);
  });

  it("concerns nobody where no agent can be held", () => {
    const view = aView({ agents: [anAgent({ state: "ESCALATED" }), anAgent({ state: "COMPLETED" })] });
    expect(rulesOf(decide(aDomainEvent("issue_locked"), view))).toEqual(["nobody_concerned"]);
  });
});

describe("an issue that is unlocked", () => {
  it("lets those continue that the lock held, whoever unlocks it, and lifts no other holder", () => {
    const agents = [
      anAgent({ id: 11, state: "SLEEPING", sleepReason: "paused", heldBy: ["person", "lock"] }),
      anAgent({ id: 12, state: "SLEEPING", sleepReason: "paused", heldBy: ["person"] }),
    ];
    const reaction = decide({ ...unlocked, permitted: false }, aView({ agents }));
    expect(movesOf(reaction)).toEqual(["agent 11 RESUME"]);
    expect(reaction.moves[0]?.event).toMatchObject({ holders: ["lock"], grant: null });
  });

  it("concerns nobody where nobody is held", () => {
    expect(rulesOf(decide(unlocked, aView({ agents: [anAgent()] })))).toEqual(["nobody_concerned"]);
  });
});
