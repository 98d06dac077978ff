import { describe, expect, it } from "vitest";
import { AGENT_STATES, isLive } from "../../../src/domain/agents/agent-record.ts";
import { decide } from "../../../src/domain/decide.ts";
import { aView } from "../../factories/a-view.ts";
import { aDomainEvent } from "../../factories/an-occurrence.ts";
import { anAgent } from "../../factories/records.ts";
import { effectsOf, movesOf, rulesOf, whyOf } from "../kernel/changes-as-text.ts";

const foreign = aDomainEvent("pushed");

describe("somebody else's push to an agent's branch", () => {
  it.each(AGENT_STATES)("pauses the agent in %s only where it can be paused", (state) => {
    const changes = decide({ ...foreign, permitted: false }, aView({ agents: [anAgent({ state })] }));
    const pauses = isLive({ state }) && state !== "ESCALATED";
    expect(movesOf(changes)).toEqual(pauses ? ["agent 11 PAUSE"] : []);
    expect(rulesOf(changes)).toEqual([isLive({ state }) ? "foreign_commit" : "nobody_concerned"]);
  });

  it("says who pushed what, and the two ways to continue", () => {
    const changes = decide(foreign, aView({ agents: [anAgent()] }));
    const why = "@alice pushed ddddddd to its branch `flotilla/feat-dev/issue-42`";
    expect(changes.moves[0]?.event).toMatchObject({ holder: "commit", why });
    expect(whyOf(changes)).toContain("`/flotilla resume` lets it continue on top of that");
    expect(whyOf(changes)).toContain("`/flotilla release`");
    expect(effectsOf(changes)).toEqual(["status_comment"]);
  });

  it("concerns no agent of another branch", () => {
    const view = aView({ agents: [anAgent({ branch: "flotilla/feat-dev/issue-42-2" })] });
    expect(rulesOf(decide(foreign, view))).toEqual(["nobody_concerned"]);
  });

  it("that deletes the branch pauses nobody", () => {
    const changes = decide({ ...foreign, tip: null }, aView({ agents: [anAgent()] }));
    expect(movesOf(changes)).toEqual([]);
    expect(rulesOf(changes)).toEqual(["branch_deleted"]);
  });
});
