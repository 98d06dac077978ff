import { describe, expect, it } from "vitest";
import { agentOf, answersTo, stateOf } from "../../engine/look.ts";
import { labeled, said, tell } from "../../engine/people.ts";
import { aRig, type Rig } from "../../engine/rig.ts";
import { call, commit, complete, edit, on, openPr, together } from "../../engine/scripts.ts";
import { aRole } from "../../factories/a-role.ts";
import { rolesOf, someSettings } from "../../factories/some-settings.ts";

/** Its states of a call, and ours that stand for each; it has none for a call that was refused or cut off. */
const STATUSES = { pending: "pending", running: "running", complete: "success", error: "failure" } as const;

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

    it("is pending until it is let go, running while the tool works, and then complete or error", async () => {
      const { runtime } = someSettings();
      const fails = call("read_issue", { number: 99 });
      const risky = call("bash", { command: "curl https://example.com/" });
      const rig = await aRig({
        settings: { runtime: { ...runtime, permissionMode: "ask" } },
        script: [on(1, fails, call("comment", { body: "Hi" }), risky, risky)],
      });
      const putComment = rig.github.putComment.bind(rig.github);
      const atWork: (string | undefined)[] = [];
      rig.github.putComment = async (...asked) => {
        atWork.push((await callsOf(rig)).find(({ tool }) => tool === "comment")?.status);
        return putComment(...asked);
      };
      await tell(rig, labeled(rig, 1));
      expect(atWork).toContain(STATUSES.running);
      const statuses = async () => (await callsOf(rig)).map(({ tool, status }) => [tool, status]);
      expect(await statuses()).toEqual([
        ["read_issue", STATUSES.error],
        ["comment", STATUSES.complete],
        ["bash", STATUSES.pending],
      ]);
      await tell(rig, said(rig, 1, "/flotilla approve"));
      expect((await statuses())[2]).toEqual(["bash", STATUSES.complete]);
    });

    it("publishes an event when it is recorded, let go and ended, in that order", async () => {
      const rig = await aRig({ script: [on(1, edit(), commit, openPr, complete)] });
      await tell(rig, labeled(rig, 1));
      const rows = await rig.store.runEvents.after(0, { limit: 1000, agentId: (await agentOf(rig)).id });
      const calls = rows.flatMap(({ event }) => (event.type.startsWith("tool:") ? [event.type] : []));
      const each = ["tool:start", "tool:running", "tool:result"];
      expect(calls).toEqual([...each, ...each, ...each, ...each]);
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
