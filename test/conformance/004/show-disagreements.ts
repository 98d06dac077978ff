import { describe, expect, it } from "vitest";
import { sessionId } from "../../../src/domain/agents/agent-key.ts";
import { agentEvent } from "../../domain/machines/agent-events.ts";
import { told, took } from "../../domain/machines/agent-take.ts";
import { agentOf, runOf, sessionsOf, stateOf, taskOf } from "../../engine/look.ts";
import { labeled, said, tell } from "../../engine/people.ts";
import { aRig } from "../../engine/rig.ts";
import { edit, escalate, on, slowly, work } from "../../engine/scripts.ts";
import { MINUTE } from "../../factories/moment.ts";
import { anAgent } from "../../factories/records.ts";
import { agentWalker } from "../agent-walker.ts";
import { DISAGREEMENTS, type Row, rowsOf } from "../disagreements.ts";
import { DRAWN_AND_OURS, DRAWN_ONLY } from "./moves.ts";

const answersOnce = (status: number) => ({ error: { status, message: "no" }, when: "^Work on" });

/** What holds where document 004 says otherwise, or another document does. */
const RULINGS: Partial<Record<Row, () => Promise<void> | void>> = {
  paused_holds_resources: async () => {
    const rig = await aRig({ script: [on(1, edit(), slowly(MINUTE, edit("b.ts")))] });
    await rig.engine.handle(labeled(rig, 1));
    await rig.until("it talks", () => rig.runtime.requests.length === 2);
    await tell(rig, said(rig, 1, "/flotilla pause"));
    expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", branch: "flotilla/feat-dev/issue-1" });
    expect(await rig.store.records.slotsInUse()).toBe(0);
    expect(rig.runtime.running.size).toBe(0);
    expect(rig.worktrees.read("feat-dev-issue-1", "feature.ts")).not.toBeNull();
    expect(await sessionsOf(rig)).toMatchObject([{ state: "paused", destroyedAt: null }]);
  },
  hashed_session_id: async () => {
    const rig = await aRig({ script: [on(1, ...work)] });
    await tell(rig, labeled(rig, 1));
    const [first] = await sessionsOf(rig);
    expect(first?.sessionId).toMatch(/^flotilla-[0-9a-f]{16}-1$/);
    const { digest } = rig.context;
    const [agent, elsewhere] = [7, 8].map((repositoryId) => ({ repositoryId, name: "feat-dev-issue-1" }));
    if (agent === undefined || elsewhere === undefined) throw new Error("there are two agents");
    expect(sessionId(digest, agent, 1)).toBe(first?.sessionId);
    expect(sessionId(digest, agent, 2)).not.toBe(first?.sessionId);
    expect(sessionId(digest, elsewhere, 1)).not.toBe(first?.sessionId);
  },
  picture_as_chain: () => {
    for (const [from, to] of DRAWN_ONLY.filter((drawn) => !DRAWN_AND_OURS.includes(drawn)))
      expect(agentWalker.pathThrough(agentWalker.reach(from), [to], { bound: 1 })).toBeNull();
    for (const to of ["COMPLETED", "FAILED", "ESCALATED"])
      expect(agentWalker.pathThrough(agentWalker.reach("ACTIVE"), [to], { bound: 1 })).not.toBeNull();
  },
  exception_fails_or_escalates: async () => {
    const script = [on(1, slowly(MINUTE, edit())), on(2, answersOnce(400)), on(3, escalate)];
    const rig = await aRig({ script });
    await tell(rig, labeled(rig, 2), labeled(rig, 3));
    await rig.engine.handle(labeled(rig, 1));
    await rig.until("it talks", () => rig.runtime.running.size === 1);
    for (const id of rig.runtime.running) rig.runtime.kill(id);
    await rig.idle();
    expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "retry" });
    expect((await runOf(rig))?.state).toBe("error");
    expect(await stateOf(rig, "feat-dev-issue-2")).toBe("FAILED");
    expect(await stateOf(rig, "feat-dev-issue-3")).toBe("ESCALATED");
  },
  coder_awaiting_review: async () => {
    const asks = took(anAgent(), agentEvent("WAIT", { reason: "review", detail: "review of #50" }));
    expect(asks.snapshot).toMatchObject({ state: "SLEEPING", sleepReason: "review" });
    expect(told(asks)).toContain("run INPUT_NEEDED");
    const rig = await aRig({ script: [on(1, ...work)] });
    await tell(rig, labeled(rig, 1));
    expect(await stateOf(rig)).toBe("COMPLETED");
    expect((await taskOf(rig))?.state).toBe("READY_FOR_REVIEW");
  },
  completed_leaves_registry: async () => {
    const rig = await aRig({ script: [on(1, ...work)] });
    await tell(rig, labeled(rig, 1));
    expect(await rig.store.records.find("agent", { state: "COMPLETED" })).toHaveLength(1);
    await rig.restart();
    expect(await stateOf(rig)).toBe("COMPLETED");
  },
};

export function showDisagreements(): void {
  describe("where it disagrees", () => {
    it.each(rowsOf("004"))("%s: our ruling holds", async (row) => {
      expect(DISAGREEMENTS[row].ruling).not.toBe("");
      const ruling = RULINGS[row];
      if (ruling === undefined) throw new Error(`document 004 does not show ${row}`);
      await ruling();
    });

    it("names no other row", () => {
      expect(Object.keys(RULINGS).toSorted()).toEqual(rowsOf("004"));
    });
  });
}
