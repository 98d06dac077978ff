import { describe, expect, it } from "vitest";
import { crashDelay } from "../../../src/domain/kernel/backoff.ts";
import { agentOf, stateOf, taskOf } from "../../engine/look.ts";
import { labeled, said, tell } from "../../engine/people.ts";
import { aRig } from "../../engine/rig.ts";
import { blocked, call, complete, edit, on, replan } from "../../engine/scripts.ts";
import { aRole } from "../../factories/a-role.ts";
import { rolesOf } from "../../factories/some-settings.ts";
import { agentWalker, reviewerWalker } from "../agent-walker.ts";
import { type Row, rowsOf } from "../disagreements.ts";
import { sprintWalker } from "../goal-walker.ts";
import { taskWalker } from "../task-walker.ts";
import { follow, type Pattern, type Walker } from "../walker.ts";
import { AGENT_ROWS } from "./agents.ts";
import { TRIGGERS } from "./goal-and-sprint.ts";
import { BEYOND, DIAGRAM_DIFFERS } from "./task-moves.ts";

/** Where a machine is after these states, by one more event. */
function ends<Snap extends { readonly state: string }>(
  walker: Walker<Snap>,
  states: readonly string[],
  by: Pattern,
): string {
  return follow(walker, walker.reach(...states), by).snapshot?.state ?? "";
}

/** What holds here of each row, walked on our tables. */
const RULINGS: Partial<Record<Row, () => void | Promise<void>>> = {
  coder_awaiting_review: () => {
    expect(ends(agentWalker, ["ACTIVE"], { type: "WAIT", reason: "review" })).toBe("SLEEPING");
    expect(ends(agentWalker, ["ACTIVE"], { type: "COMPLETE", cause: "evidence" })).toBe("COMPLETED");
  },
  any_to_merged: () => {
    const agents = BEYOND.find(({ ruled }) => ruled === "any_to_merged");
    expect(agents?.by).toBe("OBSERVED_MERGED");
    for (const state of taskWalker.states) {
      const merged = taskWalker.pathThrough(taskWalker.reach(state), ["MERGED"], { by: ["MERGE"], bound: 1 });
      expect(merged !== null).toBe(state === "APPROVED");
    }
  },
  role_complete: async () => {
    const out = agentWalker.events.filter((event) =>
      agentWalker.answers(agentWalker.reach("COMPLETED"), event).some((answer) => "to" in answer),
    );
    expect(out).toEqual([]);
    expect(ends(taskWalker, ["DRAFT"], "FINALIZE")).toBe("UNCLAIMED");
    const tools = ["create_sub_issue", "report_complete"];
    const planner = aRole({ name: "planner", evidence: "outputs", capabilities: ["read"], tools });
    const part = call("create_sub_issue", { title: "A part", body: "Do it." });
    const rig = await aRig({
      settings: { roles: rolesOf(aRole(), planner) },
      script: [on(1, part, complete)],
    });
    await tell(rig, said(rig, 1, "/flotilla start planner"));
    expect(await stateOf(rig, "planner-issue-1")).toBe("COMPLETED");
    expect((await taskOf(rig, 4))?.state).toBe("DRAFT");
  },
  beyond_the_sources: () => {
    const moves = BEYOND.filter(({ ruled }) => ruled === "beyond_the_sources");
    expect(moves.map(({ by, to }) => `${by} ${to}`)).toEqual([
      "RELEASE UNCLAIMED",
      "RELEASE INTEGRATION_FAILED",
      "NEW_COMMIT READY_FOR_REVIEW",
      "REJECT REJECTED",
      "CHECKS_FAIL REJECTED",
      "BLOCK BLOCKED",
      "OBSERVED_CLOSED ABANDONED",
    ]);
  },
  breaker_and_sprint: () => {
    const [breaker] = TRIGGERS.filter(({ says }) => says?.ruled === "breaker_and_sprint");
    expect(breaker?.says?.to).toBe("ABORTED");
    expect(ends(sprintWalker, ["IN_PROGRESS"], { type: "CHECKPOINT", cause: "incident" })).toBe("CHECKPOINT");
  },
  crash_delay: () => {
    expect([0, 1, 2].map(crashDelay)).toEqual([5_000, 10_000, 20_000]);
  },
  rescope_leads: () => {
    expect(DIAGRAM_DIFFERS.ruled).toBe("rescope_leads");
    expect(ends(taskWalker, ["BLOCKED"], "RESCOPE")).toBe("UNCLAIMED");
    expect(ends(taskWalker, ["BLOCKED"], "SUPERSEDE")).toBe("SUPERSEDED");
  },
  blocked_keeps_worktree: async () => {
    const rig = await aRig({ script: [on(1, edit("first.ts"), replan(), blocked(2))] });
    await tell(rig, labeled(rig, 1));
    expect((await taskOf(rig))?.state).toBe("BLOCKED");
    const { id, name } = await agentOf(rig);
    expect(rig.worktrees.read(name, "first.ts")).not.toBeNull();
    await tell(rig, said(rig, 1, "/flotilla answer Only the first one."));
    expect(await taskOf(rig)).toMatchObject({ state: "CLAIMED", assigneeId: id, worktree: name });
    expect(rig.worktrees.read(name, "first.ts")).not.toBeNull();
  },
  handoff_from: () => {
    const taken = agentWalker.states.filter((state) =>
      agentWalker.answers(agentWalker.reach(state), "HANDOFF").some((answer) => "to" in answer),
    );
    expect(taken).toEqual(["ACTIVE"]);
  },
  reviewer_waits: () => {
    expect(ends(reviewerWalker, ["ACTIVE"], { type: "WAIT", reason: "retry" })).toBe("SLEEPING");
    expect(ends(reviewerWalker, ["ACTIVE"], "ESCALATE")).toBe("ESCALATED");
  },
  agent_without_task: () => {
    expect(agentWalker.reach("CREATED").snapshot).toMatchObject({ issue: 42, repositoryId: 7 });
    expect(agentWalker.terminal.toSorted()).toEqual(["CANCELLED", "COMPLETED", "FAILED"]);
  },
};

/** Every disagreement that the document has a part in, and what holds here. */
export function disagreements(): void {
  describe("the disagreements", () => {
    it("that name the document are those that its parts meet", () => {
      expect(Object.keys(RULINGS).toSorted()).toEqual(rowsOf("001"));
      const named = [
        ...BEYOND.flatMap(({ ruled }) => (ruled === "required" ? [] : [ruled])),
        ...TRIGGERS.flatMap(({ says }) => (says === undefined ? [] : [says.ruled])),
        ...AGENT_ROWS,
        DIAGRAM_DIFFERS.ruled,
      ];
      expect(rowsOf("001")).toEqual(expect.arrayContaining([...new Set(named)]));
    });

    it.each(rowsOf("001"))("%s: our ruling holds", async (row) => {
      expect.hasAssertions();
      await RULINGS[row]?.();
    });
  });
}
