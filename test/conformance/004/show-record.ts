import { describe, expect, it } from "vitest";
import { agentKey, agentName, sessionId } from "../../../src/domain/agents/agent-key.ts";
import { limitsFor } from "../../../src/domain/breakers/limits.ts";
import { load, SOUND_YAML } from "../../config/workplace.ts";
import { limitsOf } from "../../engine/limits-of.ts";
import { agentOf, answersTo, runOf, stateOf } from "../../engine/look.ts";
import { closed, labeled, said, tell } from "../../engine/people.ts";
import { aRig } from "../../engine/rig.ts";
import { blocked, call, complete, edit, on, slowly, work } from "../../engine/scripts.ts";
import { AT, MINUTE } from "../../factories/moment.ts";
import { misplaced } from "../places.ts";
import { BREAKERS, LIFECYCLES, RECORD } from "./record.ts";

const LABELED = "triggers: [{ event: issues.labeled, label: crash }]";
const WORKER = "---\ndescription: Works.\ntools: [report_complete]\n---\nYou work.\n";
const files = { "config/roles/worker.md": WORKER };
const worker = (more: string) =>
  load(`${SOUND_YAML}roles: { worker: { prompt: worker.md, ${LABELED}, ${more} } }`, { files }).config;

/** Stands for SHA-256: tells texts apart. */
const digest = (text: string) => text.replace(/\W/g, "").padEnd(16, "0");

/** Its record of an agent, its kinds of roles and its breakers. */
export function showRecord(): void {
  describe("the record of an agent", () => {
    it("keeps each of its fields", () => {
      expect(misplaced(RECORD)).toEqual([]);
    });

    it("names an agent by its role and issue", () => {
      const name = agentName({ role: "feat-dev", issue: 42, attempt: 1, ephemeralAt: null });
      expect(name).toBe("feat-dev-issue-42");
      expect(agentKey("acme/shop", name)).toBe("acme/shop:feat-dev-issue-42");
    });

    it("makes the conversation's name from the agent's, and counts conversations, as one name merges them", () => {
      const agent = { repositoryId: 7, name: "feat-dev-issue-42" };
      expect(sessionId(digest, agent, 1)).toBe("flotilla-7featdevissue420-1");
      expect(sessionId(digest, agent, 2)).toBe("flotilla-7featdevissue420-2");
      expect(sessionId(digest, { ...agent, repositoryId: 8 }, 1)).not.toBe(sessionId(digest, agent, 1));
    });

    it("has a branch from the start, and the pull request once it is open", async () => {
      const rig = await aRig({ script: [on(1, ...work.slice(0, 2), blocked(2), ...work.slice(2))] });
      await tell(rig, labeled(rig, 1));
      expect(await agentOf(rig)).toMatchObject({ branch: "flotilla/feat-dev/issue-1", prNumber: null });
      await tell(rig, closed(rig, 2));
      expect(await agentOf(rig)).toMatchObject({ prNumber: [...rig.repository.pulls.keys()][0] });
    });
  });

  describe("the kinds of roles", () => {
    it.each(Object.entries(LIFECYCLES))("%s is %s", (theirs, ours) => {
      const evidence = theirs === "ephemeral" ? "outputs" : "code";
      const config = worker(`lifecycle: ${theirs}, evidence: ${evidence}`);
      expect(config.roles.get("worker")?.lifecycle).toBe(ours);
    });

    it("are persistent where nothing is said", () => {
      expect(worker("singleton: false").roles.get("worker")?.lifecycle).toBe("persistent");
    });

    it("an ephemeral agent runs once, has no worktree and a name of its own by the time", async () => {
      const rig = await aRig({ script: [on(1, complete)] });
      await tell(rig, said(rig, 1, "/flotilla start triage"));
      const [agent] = await rig.store.records.find("agent", { role: "triage" });
      const seconds = Math.floor(AT / 1000);
      expect(agent).toMatchObject({
        name: `triage-issue-1-${seconds}`,
        state: "COMPLETED",
        worktreePath: null,
        branch: null,
      });
    });

    it("a persistent one stays alive across events", async () => {
      const rig = await aRig({ script: [on(1, blocked(2), blocked(3))] });
      await tell(rig, labeled(rig, 1));
      await tell(rig, closed(rig, 2));
      expect(await rig.store.records.find("agent", { issue: 1 })).toMatchObject([
        { state: "SLEEPING", wakes: 1 },
      ]);
    });
  });

  describe("the breakers", () => {
    it.each(BREAKERS)("$key is $value by default", ({ value, ours, factor }) => {
      const { config } = load(SOUND_YAML);
      expect(config.limits.defaults[ours]).toBe(value * factor);
    });

    it.each(BREAKERS)("$key can be another for a role", ({ key, value, ours, factor, other }) => {
      const set = `circuit_breakers: { roles: { bug-fix: { ${key}: ${other[0]} } } }`;
      const { config } = load(`${SOUND_YAML}${set}`);
      expect(limitsFor(config, { name: "bug-fix", limits: {} })[ours]).toBe(other[1]);
      expect(limitsFor(config, { name: "feat-dev", limits: {} })[ours]).toBe(value * factor);
    });

    it("max_active_duration stops an agent by force when its seconds are over, and not before", async () => {
      const settings = limitsOf({ maxActiveDurationMs: MINUTE });
      const rig = await aRig({ settings, script: [on(1, slowly(5 * MINUTE, edit()))] });
      await rig.engine.handle(labeled(rig, 1));
      await rig.until("it talks", () => rig.runtime.requests.length === 1);
      await rig.work(MINUTE - 1);
      expect(await stateOf(rig)).toBe("ACTIVE");
      await rig.work(1);
      await rig.idle();
      expect(await agentOf(rig)).toMatchObject({ state: "FAILED", breaker: "max_active_duration" });
      expect(rig.runtime.running.size).toBe(0);
    });

    it("max_iterations counts sleeps that were woken from", async () => {
      const script = [on(1, blocked(2), blocked(3), blocked(4))];
      const rig = await aRig({ settings: limitsOf({ maxIterations: 2 }), script, issues: 4 });
      await tell(rig, labeled(rig, 1));
      await tell(rig, closed(rig, 2));
      await tell(rig, closed(rig, 3));
      expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", wakes: 2 });
      await tell(rig, closed(rig, 4));
      expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", breaker: "max_iterations" });
    });

    it("max_tool_calls counts the runtime's own tools and ours alike", async () => {
      const script = [on(1, edit(), call("get_my_status"), edit("b.ts"), edit("c.ts"))];
      const rig = await aRig({ settings: limitsOf({ maxToolCalls: 3 }), script });
      await tell(rig, labeled(rig, 1));
      expect(await agentOf(rig)).toMatchObject({ toolCalls: 3, breaker: "max_tool_calls" });
      const answers = answersTo(rig);
      expect(answers).toHaveLength(4);
      expect(answers.filter((answer) => answer.includes("max_tool_calls"))).toEqual([answers[3]]);
    });

    it("max_turns lets no further turn begin until a person says so", async () => {
      const script = [on(1, edit("a.ts"), edit("b.ts"), edit("c.ts"))];
      const rig = await aRig({ settings: limitsOf({ maxTurns: 2 }), script });
      await tell(rig, labeled(rig, 1));
      expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", turns: 2 });
      expect((await runOf(rig))?.state).toBe("waiting_approval");
      expect(answersTo(rig)).toHaveLength(2);
    });
  });
}
