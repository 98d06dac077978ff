import { describe, expect, it } from "vitest";
import { agentJson } from "../../../src/dashboard/api/json.ts";
import { isLiveRun, RUN_STATES, type RunState } from "../../../src/domain/agents/run.ts";
import { agentEvent } from "../../domain/machines/agent-events.ts";
import { took } from "../../domain/machines/agent-take.ts";
import { agentOf } from "../../engine/look.ts";
import { labeled } from "../../engine/people.ts";
import { aRig } from "../../engine/rig.ts";
import { edit, on, slowly } from "../../engine/scripts.ts";
import { aRepository } from "../../factories/an-occurrence.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { anAgent } from "../../factories/records.ts";
import { LIMITS } from "../../factories/some-settings.ts";
import { surroundings } from "../../factories/surroundings.ts";
import { runWalker } from "../run-walker.ts";
import { refused } from "../walker.ts";
import {
  AS_OURS,
  AT_WORK,
  BLOCKED,
  FROM_ELSEWHERE,
  STATES_002,
  TERMINAL,
  TYPICAL_SECONDS,
} from "./states.ts";

/** The states of document 002, what it asks of them, and how long it expects them to last. */
export function showStates(): void {
  describe("the states", () => {
    it("are those of our Run, by the same names, and two more from another document", () => {
      expect(Object.values(AS_OURS)).toEqual([...STATES_002]);
      const all: readonly string[] = [...Object.values(AS_OURS), ...Object.keys(FROM_ELSEWHERE)];
      expect(all.toSorted()).toEqual(RUN_STATES.toSorted());
    });

    it("end where the document says that they end", () => {
      expect(runWalker.terminal.toSorted()).toEqual(TERMINAL.toSorted());
    });

    it("begin with idle", () => {
      expect(runWalker.reach("idle").steps).toEqual([]);
    });

    it.each(BLOCKED)("go from the blocked state %s on by somebody else's act alone", (state) => {
      const way = state === "paused" ? runWalker.reach("executing", state) : runWalker.reach(state);
      for (const event of ["STEP", "STEP_COMPLETE", "NEXT_STEP", "PLAN_COMPLETE", "ADAPTATION_COMPLETE"])
        expect(refused(runWalker, way, event).map(({ code }) => code)).toContain("no_such_transition");
    });

    it("count as under way where the document's status page shows them, and in the three that stand still", () => {
      const live = RUN_STATES.filter((state) => isLiveRun({ state }));
      const still: readonly RunState[] = ["waiting_approval", "paused", "error"];
      expect(live.toSorted()).toEqual([...AT_WORK, ...still].toSorted());
    });
  });

  describe("how long a state lasts", () => {
    const named = STATES_002.map((state) => [state, TYPICAL_SECONDS[state]] as const);
    const timed = named.filter(
      ([state, lasts]) => lasts !== "terminal" && !["idle", "paused"].includes(state),
    );
    const timeless = named.filter(
      ([state, lasts]) => lasts === "terminal" || ["idle", "paused"].includes(state),
    );

    it.each(timed)("time can end %s", (state) => {
      expect(
        runWalker.pathThrough(runWalker.reach(state), ["failed"], { by: ["TIMEOUT"], bound: 1 }),
      ).not.toBeNull();
    });

    it.each(timeless)("no time ends %s", (state) => {
      const way = state === "paused" ? runWalker.reach("executing", state) : runWalker.reach(state);
      expect(refused(runWalker, way, "TIMEOUT")).toMatchObject([{ code: "no_such_transition" }]);
    });

    it("is shown with it: how long an agent has been in its phase", async () => {
      const turns = [edit(), slowly(MINUTE, edit("b.ts")), slowly(HOUR, edit("c.ts"))];
      const rig = await aRig({ script: [on(1, ...turns)] });
      await rig.engine.handle(labeled(rig, 1));
      await rig.until("it works", () => rig.runtime.requests.length === 2);
      const since = rig.clock.now();
      await rig.work(MINUTE);
      await rig.until("a turn is over", () => rig.runtime.requests.length === 3);
      const agent = await agentOf(rig);
      const around = (await rig.store.lists.around([agent])).get(agent.id);
      if (around === undefined) throw new Error("nothing is known of the agent");
      expect(agentJson(agent, aRepository(), around)).toMatchObject({
        phase: "executing",
        phase_since: new Date(since).toISOString(),
      });
    });

    it("what it expects of a phase stays within the time that an agent may be at work", () => {
      const longest = Object.values(TYPICAL_SECONDS).map((lasts) =>
        typeof lasts === "string" ? 0 : lasts[1],
      );
      expect(Math.max(...longest) * 1000).toBeLessThan(LIMITS.maxActiveDurationMs);
    });

    it("a wait without end is asked about after its deadline, and nothing of it is lost", () => {
      const asleep = anAgent({ state: "SLEEPING", sleepReason: "blocked", blockedBy: [7] });
      expect(took(asleep, agentEvent("EXPIRE")).snapshot).toMatchObject({
        state: "ESCALATED",
        branch: asleep.branch,
        worktreePath: asleep.worktreePath,
        sessionId: asleep.sessionId,
      });
    });

    it("a pause lasts until its holder leaves", () => {
      const paused = anAgent({ state: "SLEEPING", sleepReason: "paused", heldBy: ["person"] });
      expect(() => took(paused, agentEvent("EXPIRE"))).toThrow("a person paused it: reminders only");
      const around = surroundings({ run: "paused" });
      expect(took(paused, agentEvent("RESUME", { around })).snapshot.heldBy).toEqual([]);
    });
  });
}
