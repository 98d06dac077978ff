import { describe, expect, it } from "vitest";
import { circuitBreakers } from "../../../src/domain/breakers/circuit-breakers.ts";
import { limitsFor } from "../../../src/domain/breakers/limits.ts";
import { limitsOf } from "../../engine/limits-of.ts";
import { agentOf, commentsOn, runOf } from "../../engine/look.ts";
import { labeled, said, tell } from "../../engine/people.ts";
import { aRig, type Rig } from "../../engine/rig.ts";
import { edit, on, work } from "../../engine/scripts.ts";
import { aRole } from "../../factories/a-role.ts";
import { rolesOf } from "../../factories/some-settings.ts";

/** Its limits by the kind of agent; ours go by role. */
const THEIR_LIMITS = { task: 50, conversational: 100, background: 200 };

/** In a repository's own file. */
const OF_ROLE = "roles: { feat-dev: { max_turns: 2 } }";

const edits = Array.from({ length: 9 }, (_, index) => edit(`file-${index}.ts`));

async function atTheLimit(maxTurns: number): Promise<Rig> {
  const rig = await aRig({ settings: limitsOf({ maxTurns }), script: [on(1, ...edits)] });
  await tell(rig, labeled(rig, 1));
  return rig;
}

/** Where the limit comes from, what happens at it, and the three words that a person has then. */
export function turnLimit(): void {
  describe("the turn limit", () => {
    it("of a task is the default here, and every role may have its own", () => {
      expect(circuitBreakers.schema.parse({}).defaults.maxTurns).toBe(THEIR_LIMITS.task);
      const { conversational, background } = THEIR_LIMITS;
      const settings = limitsOf(
        { maxTurns: 50 },
        { chat: { maxTurns: conversational }, night: { maxTurns: background } },
      );
      const turnsOf = (name: string) => limitsFor(settings, aRole({ name })).maxTurns;
      expect(["feat-dev", "chat", "night"].map(turnsOf)).toEqual(Object.values(THEIR_LIMITS));
    });

    it("of one execution lowers the project's", () => {
      const role = aRole({ limits: { maxTurns: 7 } });
      expect(limitsFor(limitsOf({ maxTurns: 50 }), role).maxTurns).toBe(7);
    });

    it.each([
      ["the project's", {}, null, 4],
      ["the role's over the project's", { maxTurns: 3 }, null, 3],
      ["the repository's own over the project's", {}, "defaults: { max_turns: 2 }", 2],
      ["the repository's own for the role over the role's", { maxTurns: 3 }, OF_ROLE, 2],
    ])("stops a run at %s", async (_, limits, own, turns) => {
      const settings = { ...limitsOf({ maxTurns: 4 }), roles: rolesOf(aRole({ limits })) };
      const rig = await aRig({ settings, script: [on(1, ...edits)] });
      if (own !== null) rig.repository.files.set(".github/flotilla.yml", `circuit_breakers: { ${own} }`);
      await tell(rig, labeled(rig, 1));
      expect(await agentOf(rig)).toMatchObject({ turns, sleepReason: "approval", breaker: "max_turns" });
      expect(commentsOn(rig).join()).toContain(`${turns} of ${turns} turns`);
    });

    it("is at least one turn", () => {
      expect(circuitBreakers.schema.safeParse({ defaults: { max_turns: 0 } }).success).toBe(false);
      expect(circuitBreakers.schema.safeParse({ defaults: { max_turns: 1 } }).success).toBe(true);
      expect(circuitBreakers.schema.safeParse({ defaults: { max_turns: 200 } }).success).toBe(true);
    });

    it.each([1, 2, 3])(
      "of %i lets as many turns pass, and then stands still for a person",
      async (maxTurns) => {
        const rig = await atTheLimit(maxTurns);
        expect(await agentOf(rig)).toMatchObject({
          turns: maxTurns,
          state: "SLEEPING",
          sleepReason: "approval",
        });
        expect(await runOf(rig)).toMatchObject({ state: "waiting_approval", waitingFor: "max_turns" });
      },
    );

    it("does not stop a work that ends within it", async () => {
      const settings = limitsOf({ maxTurns: work.length });
      const rig = await aRig({ settings, script: [on(1, ...work)] });
      await tell(rig, labeled(rig, 1));
      expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", turns: work.length });
    });

    it("is no error: the agent is not failed, and people are told the limit and the three words", async () => {
      const rig = await atTheLimit(2);
      expect((await runOf(rig))?.error).toBeNull();
      const [comment = ""] = commentsOn(rig);
      for (const word of ["max_turns", "2 of 2 turns", "continue", "complete", "cancel"])
        expect(comment).toContain(word);
    });

    it("grants at most the ceiling at once: more is refused with a sentence that names it", async () => {
      const rig = await atTheLimit(2);
      await tell(rig, said(rig, 1, "/flotilla continue 5000"));
      await tell(rig, said(rig, 1, "/flotilla budget +201 turns"));
      expect(await agentOf(rig)).toMatchObject({ turns: 2, extraTurns: 0, sleepReason: "approval" });
      const refusals = commentsOn(rig).slice(-2);
      for (const [index, given] of [5000, 201].entries())
        expect(refusals[index]).toContain(
          `${given} turns at once are more than circuit_breakers.turn_ceiling, which is 200.`,
        );
      expect(refusals[0]).toContain("grant up to 200 turns, and more when those are used");
    });

    it.each([
      ["Continue", "/flotilla continue 3", { state: "SLEEPING", turns: 5 }, "waiting_approval"],
      ["Complete", "/flotilla complete", { state: "COMPLETED", turns: 2 }, "succeeded"],
      ["Abort", "/flotilla cancel", { state: "CANCELLED", turns: 2 }, "cancelled"],
    ])("ends by a person's word: %s", async (_, command, agent, run) => {
      const rig = await atTheLimit(2);
      await tell(rig, said(rig, 1, command));
      expect(await agentOf(rig)).toMatchObject(agent);
      expect((await runOf(rig))?.state).toBe(run);
    });
  });
}
