import { describe, expect, it } from "vitest";
import { agentViews } from "../../../src/dashboard/api/agent-view.ts";
import { limitsOf } from "../../engine/limits-of.ts";
import { agentOf, answersTo, stateOf, taskOf, toldTo } from "../../engine/look.ts";
import { closed, labeled, said, tell } from "../../engine/people.ts";
import { aRig, type Rig, type RigOptions } from "../../engine/rig.ts";
import {
  after,
  blocked,
  call,
  edit,
  escalate,
  on,
  onAttempt,
  type Step,
  slowly,
  work,
} from "../../engine/scripts.ts";
import { aRole } from "../../factories/a-role.ts";
import { MINUTE } from "../../factories/moment.ts";
import { rolesOf } from "../../factories/some-settings.ts";

const KEY = "acme/shop:feat-dev-issue-1";
const by = { agent: KEY, by: "operator:root", reason: null };
const SECOND = "feat-dev-issue-1.2";
const goesOn: readonly Step[] = [after("You are awake again", edit()), ...work.slice(1)];

async function begun(steps: readonly Step[], options: RigOptions = {}): Promise<Rig> {
  const { script = [], ...more } = options;
  const rig = await aRig({ ...more, script: [...script, on(1, ...steps)] });
  await tell(rig, labeled(rig, 1));
  return rig;
}

/** An attempt that was cancelled, and a later one that `does`. */
async function cancelled(...does: readonly Step[]): Promise<Rig> {
  const rig = await begun([escalate], { script: [onAttempt(1, 2, ...does)] });
  await rig.engine.operations.kill({ ...by, id: "kill" });
  await rig.idle();
  return rig;
}

/** What the operator reads that looks the agent up. */
async function shown(rig: Rig): Promise<string> {
  const { store } = rig;
  const parts = {
    store,
    settings: rig.context.settings,
    runningCommands: rig.context.runningCommands,
    site: "https://github.test",
  };
  const [seen] = await agentViews(parts, [await agentOf(rig)]);
  return seen?.view.next ?? "";
}

/** Whoever does what the hint of an error says is out of it. */
export function waysOut(): void {
  describe("the way out of each error", () => {
    it("TASK_NOT_FOUND: `/flotilla start` makes the task and has it worked on", async () => {
      const rig = await begun([blocked(2)], { script: [on(3, ...work)] });
      const agent = "acme/shop:feat-dev-issue-3";
      await expect(rig.engine.operations.revive({ ...by, agent, id: "r" })).rejects.toMatchObject({
        code: "task_not_found",
        hint: expect.stringContaining("say `/flotilla start <role>` on it"),
      });
      await tell(rig, said(rig, 3, "/flotilla start feat-dev"));
      expect([(await taskOf(rig, 3))?.state, await stateOf(rig, "feat-dev-issue-3")]).toEqual([
        "READY_FOR_REVIEW",
        "COMPLETED",
      ]);
    });

    it("AGENT_ALREADY_RUNNING: `agents send` talks to the one that runs, `agents kill` ends it", async () => {
      const rig = await cancelled(
        slowly(MINUTE, edit()),
        after("Message from", edit("b.ts")),
        ...work.slice(1),
      );
      await rig.engine.operations.revive({ ...by, id: "r1" });
      await rig.until("it talks", () => rig.runtime.running.size > 0);
      await expect(rig.engine.operations.revive({ ...by, id: "r2" })).rejects.toMatchObject({
        code: "agent_already_running",
        hint: expect.stringMatching(/`flotilla agents send` .* `flotilla agents kill`/),
      });
      const agent = `${KEY}.2`;
      expect(await rig.engine.operations.send({ agent, id: "s", text: "Use port 80." })).toBeDefined();
      await rig.engine.operations.kill({ ...by, agent, id: "k2" });
      await rig.idle();
      expect(await stateOf(rig, SECOND)).toBe("CANCELLED");
    });

    it("AGENT_TOOL_NOT_ALLOWED: a role that lists the tool may call it", async () => {
      const comments = call("comment", { body: "Hello" });
      const tools = aRole().tools.filter((name) => name !== "comment");
      const without = await begun([comments, ...work], { settings: { roles: rolesOf(aRole({ tools })) } });
      expect(answersTo(without)[0]).toContain("tool_not_allowed");
      const all = [...tools, "comment" as const];
      const rig = await begun([comments, ...work], { settings: { roles: rolesOf(aRole({ tools: all })) } });
      const [first] = await rig.store.toolCalls.ofAgent((await agentOf(rig)).id);
      expect(first).toMatchObject({ tool: "comment", status: "success" });
    });

    it("AGENT_TURN_LIMIT_EXCEEDED: `/flotilla continue` grants turns, and it continues", async () => {
      const rig = await begun([edit(), edit("b.ts"), ...work], { settings: limitsOf({ maxTurns: 2 }) });
      await expect(rig.engine.operations.resume({ ...by, id: "r" })).rejects.toMatchObject({
        code: "turn_limit_exceeded",
        hint: expect.stringContaining("`/flotilla continue"),
      });
      await tell(rig, said(rig, 1, "/flotilla continue 9"));
      expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", turns: 2 + work.length });
    });

    it("AGENT_EXECUTION_ERROR: `/flotilla retry` with words continues at once, and the model reads them", async () => {
      const rig = await begun([
        { error: { status: 503, message: "it broke" }, when: "^Work on" },
        edit(),
        ...work.slice(1),
      ]);
      expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "provider_limit" });
      await tell(rig, said(rig, 1, "/flotilla retry Use the mirror."));
      expect(toldTo(rig).join()).toContain("Use the mirror.");
      expect(await stateOf(rig)).toBe("COMPLETED");
    });

    it("AGENT_NOT_RUNNING: `agents show` says what it waits for, and when that comes it continues", async () => {
      const rig = await begun([blocked(2), ...goesOn]);
      await expect(rig.engine.operations.resume({ ...by, id: "r" })).rejects.toMatchObject({
        code: "invalid_state",
        hint: expect.stringContaining("`flotilla agents show <agent>`"),
      });
      expect(await shown(rig)).toMatch(/^it wakes when .* closed/);
      await tell(rig, closed(rig, 2));
      expect(await stateOf(rig)).toBe("COMPLETED");
    });

    it("AGENT_NO_AVAILABLE_TASK: `agents revive` begins a new attempt, which does the work", async () => {
      const rig = await cancelled(...work);
      await expect(rig.engine.operations.send({ agent: KEY, id: "s", text: "Hello?" })).rejects.toMatchObject(
        {
          code: "dead_agent",
          hint: expect.stringContaining("`flotilla agents revive <agent>`"),
        },
      );
      await rig.engine.operations.revive({ ...by, id: "r" });
      await rig.idle();
      expect([await stateOf(rig, SECOND), (await taskOf(rig))?.state]).toEqual([
        "COMPLETED",
        "READY_FOR_REVIEW",
      ]);
    });
  });
}
