import { describe, expect, it } from "vitest";
import { agentOf, answersTo, stateOf } from "../../engine/look.ts";
import { labeled, tell } from "../../engine/people.ts";
import { aRig, type Rig } from "../../engine/rig.ts";
import { call, commit, complete, edit, on, openPr, together } from "../../engine/scripts.ts";
import { aRole } from "../../factories/a-role.ts";
import { rolesOf } from "../../factories/some-settings.ts";

/** Its states of a call, and ours that stand for each; it has none for a call that was refused or cut off. */
const STATUSES = { pending: "running", running: "running", complete: "success", error: "failure" } as const;

async function callsOf(rig: Rig) {
  return rig.store.toolCalls.ofAgent((await agentOf(rig)).id);
}

/** The list of tools that a role may call, and the row that each call leaves. */
export function audit(): void {
  describe("the audit of tool calls", () => {
    it("keeps of each call tool, input, output, duration, status and turn", async () => {
      const fails = call("read_issue", { number: 99 });
      const rig = await aRig({ script: [on(1, edit(), fails, commit, openPr, complete)] });
      await tell(rig, labeled(rig, 1));
      const calls = await callsOf(rig);
      expect(calls.map(({ tool, turn, status }) => [tool, turn, status])).toEqual([
        ["edit", 1, STATUSES.complete],
        ["read_issue", 2, STATUSES.error],
        ["commit", 3, STATUSES.complete],
        ["open_pr", 4, STATUSES.complete],
        ["report_complete", 5, STATUSES.complete],
      ]);
      for (const one of calls) {
        expect(one.input).not.toBe("");
        expect(one.output).not.toBeNull();
        expect(one.durationMs).toBeGreaterThanOrEqual(0);
        expect(one.agentId).toBe((await agentOf(rig)).id);
      }
    });

    it("keeps a row for each of several calls of one turn", async () => {
      const rig = await aRig({
        script: [on(1, together(edit("a.ts"), edit("b.ts")), commit, openPr, complete)],
      });
      await tell(rig, labeled(rig, 1));
      expect((await callsOf(rig)).map(({ turn }) => turn)).toEqual([1, 1, 2, 3, 4]);
    });

    it("isToolAllowed: a tool that the role's list does not have is denied, and the work continues", async () => {
      const tools = aRole().tools.filter((name) => name !== "comment");
      const settings = { roles: rolesOf(aRole({ tools })) };
      const forbidden = call("comment", { body: "Hello" });
      const rig = await aRig({ settings, script: [on(1, forbidden, edit(), commit, openPr, complete)] });
      await tell(rig, labeled(rig, 1));
      expect((await callsOf(rig))[0]).toMatchObject({ tool: "comment", status: "denied" });
      expect(answersTo(rig)[0]).toContain("tool_not_allowed");
      expect(await stateOf(rig)).toBe("COMPLETED");
    });
  });
}
