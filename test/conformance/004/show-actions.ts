import { describe, expect, it } from "vitest";
import { limitsOf } from "../../engine/limits-of.ts";
import { agentOf, commentsOn, historyOf, runOf, sessionsOf, stateOf, toldTo } from "../../engine/look.ts";
import { closed, labeled, said, tell } from "../../engine/people.ts";
import { aRig, type Rig } from "../../engine/rig.ts";
import { after, blocked, commit, complete, edit, escalate, on, slowly, work } from "../../engine/scripts.ts";
import { MINUTE } from "../../factories/moment.ts";

const NAME = "feat-dev-issue-1";
const waits = on(1, edit(), blocked(2), after("which blocked you", commit), ...work.slice(2));
const refused = { error: { status: 400, message: "no such model" } };

/** An agent on issue 1 in the middle of its first exchange. */
async function atWork(): Promise<Rig> {
  const rig = await aRig({ script: [on(1, edit(), slowly(MINUTE, commit), ...work.slice(2))] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it talks", () => rig.runtime.requests.length === 2);
  return rig;
}

/** What each move does outside, through the running engine. */
export function showActions(): void {
  describe("CREATED → ACTIVE", () => {
    it("makes a worktree, starts the runtime and begins to work", async () => {
      const rig = await atWork();
      const agent = await agentOf(rig);
      expect(agent).toMatchObject({ state: "ACTIVE", activeSince: rig.clock.now() });
      expect(agent.worktreePath).toContain(NAME);
      expect([...rig.runtime.running]).toEqual([agent.sessionId]);
      expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE"]);
    });
  });

  describe("ACTIVE → SLEEPING", () => {
    it("keeps the conversation and the worktree, and is no longer at work", async () => {
      const rig = await aRig({ script: [waits] });
      await tell(rig, labeled(rig, 1));
      const agent = await agentOf(rig);
      expect(agent).toMatchObject({ state: "SLEEPING", activeSince: null, sleepingSince: rig.clock.now() });
      expect(await sessionsOf(rig)).toMatchObject([{ state: "idle", destroyedAt: null }]);
      expect(rig.worktrees.read(NAME, "feature.ts")).not.toBeNull();
      expect(rig.runtime.running.size).toBe(0);
      expect(await rig.store.records.slotsInUse()).toBe(0);
    });

    it("wakes when the issue that blocks it is resolved, and by nothing else that happens to issues", async () => {
      const rig = await aRig({ script: [waits] });
      await tell(rig, labeled(rig, 1));
      await tell(rig, closed(rig, 3));
      expect(await stateOf(rig)).toBe("SLEEPING");
      await tell(rig, closed(rig, 2));
      expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "SLEEPING", "ACTIVE", "COMPLETED"]);
    });
  });

  describe("SLEEPING → ACTIVE", () => {
    it("resumes the same conversation", async () => {
      const rig = await aRig({ script: [waits] });
      await tell(rig, labeled(rig, 1));
      await tell(rig, closed(rig, 2));
      expect(await sessionsOf(rig)).toMatchObject([{ lives: 2 }]);
    });

    it("does so too when the host was restarted in between", async () => {
      const rig = await aRig({ script: [waits] });
      await tell(rig, labeled(rig, 1));
      const { sessionId } = await agentOf(rig);
      await rig.restart();
      await tell(rig, closed(rig, 2));
      expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", sessionId });
      expect(toldTo(rig).at(-1)).toContain("#2, which blocked you, was closed");
    });
  });

  describe("ACTIVE → COMPLETED", () => {
    it("deletes the conversation and frees the worktree", async () => {
      const rig = await aRig({ script: [on(1, ...work)] });
      const calls: string[] = [];
      rig.onCall = (call) => calls.push(call);
      await tell(rig, labeled(rig, 1));
      expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", worktreePath: null });
      expect(calls.filter((call) => call === "runtime.destroy")).toHaveLength(1);
      expect(await sessionsOf(rig)).toMatchObject([{ destroyedAt: rig.clock.now() }]);
      expect(rig.worktrees.read(NAME, "feature.ts")).toBeNull();
    });
  });

  describe("ACTIVE → FAILED", () => {
    it("marks it, keeps the error and tells whom the configuration names, after an error that stays", async () => {
      const rig = await aRig({ script: [on(1, { ...refused, when: "^Work on" })] });
      await tell(rig, labeled(rig, 1));
      expect(await agentOf(rig)).toMatchObject({
        state: "FAILED",
        reason: expect.stringContaining("no such model"),
      });
      expect(commentsOn(rig).join()).toContain("no such model");
      expect(commentsOn(rig).join()).toContain("@oncall");
    });

    it("does the same at the time breaker, and logs it", async () => {
      const rig = await aRig({
        settings: limitsOf({ maxActiveDurationMs: MINUTE }),
        script: [on(1, slowly(5 * MINUTE, edit()))],
      });
      await rig.engine.handle(labeled(rig, 1));
      await rig.until("it talks", () => rig.runtime.requests.length === 1);
      await rig.work(MINUTE);
      await rig.idle();
      expect(await agentOf(rig)).toMatchObject({ state: "FAILED", breaker: "max_active_duration" });
      expect(commentsOn(rig).join()).toContain("@oncall");
      expect(rig.runtime.running.size).toBe(0);
    });
  });

  describe("ACTIVE → ESCALATED", () => {
    it("labels the issue, comments on it and keeps all that the agent has", async () => {
      const rig = await aRig({ script: [on(1, edit(), commit, escalate)] });
      await tell(rig, labeled(rig, 1));
      const agent = await agentOf(rig);
      expect(agent).toMatchObject({ state: "ESCALATED", branch: "flotilla/feat-dev/issue-1" });
      expect(agent.worktreePath).not.toBeNull();
      expect(rig.worktrees.read(NAME, "feature.ts")).not.toBeNull();
      expect(await sessionsOf(rig)).toMatchObject([{ state: "idle", destroyedAt: null }]);
      expect(rig.repository.issues.get(1)?.labels).toContain("needs-human");
      expect(commentsOn(rig)).toHaveLength(1);
    });
  });

  describe("a wake after the answer", () => {
    it("continues where a person was asked", async () => {
      const asks = on(1, escalate, after("You are awake again", edit()), ...work.slice(1));
      const rig = await aRig({ script: [asks] });
      await tell(rig, labeled(rig, 1));
      await tell(rig, said(rig, 1, "/flotilla resume"));
      expect(await stateOf(rig)).toBe("COMPLETED");
      expect((await runOf(rig))?.state).toBe("succeeded");
    });
  });

  describe("its own tools", () => {
    it.each([
      ["report_blocked", blocked(2), "SLEEPING"],
      ["report_complete", complete, "COMPLETED"],
      ["escalate_to_human", escalate, "ESCALATED"],
    ] as const)("%s is how an agent says it", async (tool, step, state) => {
      const first = tool === "report_complete" ? work.slice(0, 3) : [];
      const rig = await aRig({ script: [on(1, ...first, step)] });
      await tell(rig, labeled(rig, 1));
      expect(await stateOf(rig)).toBe(state);
      const agent = await agentOf(rig);
      const moves = await rig.store.transitions.ofAgent(agent.id);
      const last = moves.findLast(({ machine }) => machine === "agent");
      expect(last).toMatchObject({ from: "ACTIVE", to: state });
    });
  });
}
