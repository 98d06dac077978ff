import { describe, expect, it } from "vitest";
import { AGENT_STATES, isLive } from "../../../src/domain/agents/agent-record.ts";
import { decide } from "../../../src/domain/decide.ts";
import { aView } from "../../factories/a-view.ts";
import { aDomainEvent } from "../../factories/an-occurrence.ts";
import { anAgent } from "../../factories/records.ts";
import { effectsOf, movesOf, rulesOf, whyOf } from "../reactions/told-of.ts";

const foreign = aDomainEvent("pushed");

describe("somebody else's push to an agent's branch", () => {
  it.each(AGENT_STATES)("pauses the agent in %s only where it can be paused", (state) => {
    const reaction = decide({ ...foreign, permitted: false }, aView({ agents: [anAgent({ state })] }));
    const pauses = isLive({ state }) && state !== "ESCALATED";
    expect(movesOf(reaction)).toEqual(pauses ? ["agent 11 PAUSE"] : []);
    expect(rulesOf(reaction)).toEqual([isLive({ state }) ? "foreign_commit" : "nobody_concerned"]);
  });

  it("says who pushed what, and the two ways to continue", () => {
    const reaction = decide(foreign, aView({ agents: [anAgent()] }));
    const why = "@alice pushed `ddddddd` to its branch `flotilla/feat-dev/issue-42`";
    expect(reaction.moves[0]?.event).toMatchObject({ holder: "commit", why });
    expect(whyOf(reaction)).toContain("`/flotilla resume` lets it continue on top of that");
    expect(whyOf(reaction)).toContain("`/flotilla release`");
    expect(effectsOf(reaction)).toEqual(["status_comment"]);
  });

  it("concerns no agent of another branch", () => {
    const view = aView({ agents: [anAgent({ branch: "flotilla/feat-dev/issue-42-2" })] });
    expect(rulesOf(decide(foreign, view))).toEqual(["nobody_concerned"]);
  });

  it("that deletes the branch pauses nobody", () => {
    const reaction = decide({ ...foreign, tip: null }, aView({ agents: [anAgent()] }));
    expect(movesOf(reaction)).toEqual([]);
    expect(rulesOf(reaction)).toEqual(["branch_deleted"]);
  });
});
