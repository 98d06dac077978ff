import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { agentOf, decisionsOn, runOf, stateOf, statusComments, toldTo } from "../../engine/look.ts";
import { closed, labeled, said, tell } from "../../engine/people.ts";
import { aRig, type Rig } from "../../engine/rig.ts";
import {
  after,
  blocked,
  call,
  commit,
  complete,
  edit,
  escalate,
  on,
  openPr,
  slowly,
  work,
} from "../../engine/scripts.ts";
import { MINUTE } from "../../factories/moment.ts";
import { ANNOUNCED } from "./record.ts";
import { TERMINAL } from "./states.ts";

/** Every move of the agent's Run, oldest first. */
async function runMoves(rig: Rig) {
  const moves = await rig.store.transitions.ofAgent((await agentOf(rig)).id);
  return moves.filter(({ machine }) => machine === "run");
}

/** Those that change the state, as the document's machine knows them. */
async function eventsOf(rig: Rig): Promise<readonly string[]> {
  return (await runMoves(rig)).filter(({ from, to }) => from !== to).map(({ event }) => event);
}

/** The moves that a plan leads to, each with its evidence. */
async function plansOf(rig: Rig) {
  const moves = (await runMoves(rig)).filter(({ event }) => /^(PLAN|ADAPTATION)_COMPLETE$/.test(event));
  return moves.map(({ event, evidence }) => [event, evidence]);
}

const planned = (plan: string) => call("submit_plan", { plan });
const planId = (plan: string) => createHash("sha256").update(plan).digest("hex").slice(0, 16);

const toWork = ["START", "INIT_COMPLETE", "PLAN_COMPLETE"];

/** The document's job, its waits and its recovery, through the running engine. */
export function showRunning(): void {
  describe("the job of the example", () => {
    it("goes from the start over plan, step and evaluation to its success", async () => {
      const rig = await aRig({ script: [on(1, ...work)] });
      await tell(rig, labeled(rig, 1));
      expect(await eventsOf(rig)).toEqual([...toWork, "STEP_COMPLETE", "EVALUATION_PASS"]);
      expect(TERMINAL).toContain((await runOf(rig))?.state);
    });

    it("keeps the plan, its id, and how many steps it has", async () => {
      const plan = "1. Read the parser\n2. Fix it";
      const rig = await aRig({ script: [on(1, call("submit_plan", { plan }), ...work)] });
      await tell(rig, labeled(rig, 1));
      expect(await plansOf(rig)).toEqual([["PLAN_COMPLETE", { planId: planId(plan), steps: 2 }]]);
      expect((await runOf(rig))?.plan).toBe(plan);
    });

    it("has a new id for a new plan after an evaluation that failed, and the same for the same plan", async () => {
      const [first, second] = ["1. Fix it", "1. Commit it\n2. Open a pull request\n3. Report"];
      const script = [
        on(1, planned(first), edit(), complete, planned(second), complete, planned(first), ...work.slice(1)),
      ];
      const rig = await aRig({ script });
      await tell(rig, labeled(rig, 1));
      expect(await plansOf(rig)).toEqual([
        ["PLAN_COMPLETE", { planId: planId(first), steps: 1 }],
        ["ADAPTATION_COMPLETE", { planId: planId(second), steps: 3 }],
        ["ADAPTATION_COMPLETE", { planId: planId(first), steps: 1 }],
      ]);
      expect(planId(first)).not.toBe(planId(second));
    });

    it("adapts when the evaluation fails, and continues", async () => {
      const rig = await aRig({ script: [on(1, edit(), complete, commit, openPr, complete)] });
      await tell(rig, labeled(rig, 1));
      const again = ["EVALUATION_FAIL", "ADAPTATION_COMPLETE", "STEP_COMPLETE", "EVALUATION_PASS"];
      expect(await eventsOf(rig)).toEqual([...toWork, "STEP_COMPLETE", ...again]);
      expect((await runOf(rig))?.bounces).toBe(1);
    });

    it("fails with the error when a step throws for good", async () => {
      const refused = { error: { status: 400, message: "no such model" } };
      const rig = await aRig({ script: [on(1, { ...refused, when: "^Work on" })] });
      await tell(rig, labeled(rig, 1));
      expect(await runOf(rig)).toMatchObject({
        state: "failed",
        error: expect.stringContaining("no such model"),
      });
      expect(await stateOf(rig)).toBe("FAILED");
    });

    it("begins no second machine for a task that has one", async () => {
      const rig = await aRig({ script: [on(1, blocked(2))] });
      await tell(rig, labeled(rig, 1));
      await tell(rig, labeled(rig, 1));
      expect(await rig.store.records.find("run", { issue: 1 })).toHaveLength(1);
    });
  });

  describe("the waits in the running engine", () => {
    it("waits for another agent's work and executes after it", async () => {
      const rig = await aRig({
        script: [on(1, blocked(2), after("which blocked you", edit()), ...work.slice(1))],
      });
      await tell(rig, labeled(rig, 1));
      expect(await runOf(rig)).toMatchObject({ state: "waiting_agent", waitingFor: "#2" });
      await tell(rig, closed(rig, 2));
      expect(await eventsOf(rig)).toEqual([
        ...toWork,
        "AGENT_NEEDED",
        "AGENT_COMPLETE",
        "STEP_COMPLETE",
        "EVALUATION_PASS",
      ]);
    });

    it("waits on when the other agent has completed, and is given its output when that issue is closed", async () => {
      const rig = await aRig({
        script: [on(1, blocked(2), after("which blocked you", edit()), ...work.slice(1)), on(2, ...work)],
      });
      await tell(rig, labeled(rig, 1), labeled(rig, 2));
      const other = await agentOf(rig, "feat-dev-issue-2");
      expect(other.state).toBe("COMPLETED");
      expect(await runOf(rig)).toMatchObject({ state: "waiting_agent" });
      await tell(rig, closed(rig, 2, { merged: other.prNumber ?? 0 }));
      const ended = (await runMoves(rig)).find(({ event }) => event === "AGENT_COMPLETE");
      expect(ended?.evidence).toEqual({
        agents: [
          {
            agent_id: "acme/shop:feat-dev-issue-2",
            output: {
              summary: "Built and tested.",
              branch: other.branch,
              pull_request: `#${other.prNumber}`,
              merge_commit: "c".repeat(40),
            },
          },
        ],
      });
      expect(toldTo(rig)[1]).toContain("> Built and tested.");
    });

    it("waits for a person's input and executes after it", async () => {
      const rig = await aRig({ script: [on(1, escalate, after("The second", edit()), ...work.slice(1))] });
      await tell(rig, labeled(rig, 1));
      expect(await runOf(rig)).toMatchObject({ state: "waiting_input", waitingFor: "person" });
      await tell(rig, said(rig, 1, "The second spec holds."));
      expect((await eventsOf(rig)).slice(3)).toEqual([
        "INPUT_NEEDED",
        "INPUT_RECEIVED",
        "STEP_COMPLETE",
        "EVALUATION_PASS",
      ]);
    });

    it("pauses by a person's word and returns to where it was", async () => {
      const rig = await aRig({ script: [on(1, edit(), slowly(MINUTE, commit), openPr, complete)] });
      await rig.engine.handle(labeled(rig, 1));
      await rig.until("it executes", async () => (await runOf(rig))?.state === "executing");
      await tell(rig, said(rig, 1, "/flotilla pause"));
      expect(await runOf(rig)).toMatchObject({ state: "paused", remembered: "executing" });
      await rig.engine.handle(said(rig, 1, "/flotilla resume"));
      await rig.until("it executes again", async () => (await runOf(rig))?.state === "executing");
      expect(await runOf(rig)).toMatchObject({ remembered: null });
    });

    it("is cancelled by a person's word, also while it waits", async () => {
      const rig = await aRig({ script: [on(1, blocked(2))] });
      await tell(rig, labeled(rig, 1));
      await tell(rig, said(rig, 1, "/flotilla cancel"));
      expect((await eventsOf(rig)).slice(3)).toEqual(["AGENT_NEEDED", "CANCEL"]);
    });
  });

  describe("the history", () => {
    it("is kept whole and unbroken, each entry with its event and time", async () => {
      const rig = await aRig({ script: [on(1, escalate, after("The second", edit()), ...work.slice(1))] });
      await tell(rig, labeled(rig, 1));
      rig.clock.advance(MINUTE);
      await tell(rig, said(rig, 1, "The second spec holds."));
      const moves = await runMoves(rig);
      expect(moves.map(({ from }) => from).slice(1)).toEqual(moves.map(({ to }) => to).slice(0, -1));
      expect(moves[0]).toMatchObject({ from: "idle", event: "START" });
      expect(moves.map(({ at }) => at)).toEqual(
        moves.map(({ at }) => at).toSorted((left, right) => left - right),
      );
      expect(moves.at(-1)?.at).toBe(rig.clock.now());
    });

    it("gives the last entries that are asked for, the oldest of them first", async () => {
      const rig = await aRig({ script: [on(1, ...work)] });
      await tell(rig, labeled(rig, 1));
      const all = await rig.store.transitions.ofIssue(7, 1, 1000);
      expect(await rig.store.transitions.ofIssue(7, 1, 3)).toEqual(all.slice(-3));
    });

    it("announces every change that the document announces, with who, whose and from where", async () => {
      const asks = on(1, escalate, after("The second", blocked(2)), after("which blocked you", edit()));
      const refused = { error: { status: 400, message: "no such model" } };
      const script = [
        { ...asks, steps: [...asks.steps, ...work.slice(1)] },
        on(3, { ...refused, when: "^Work on" }),
      ];
      const rig = await aRig({ script });
      await tell(rig, labeled(rig, 1), labeled(rig, 3));
      await tell(rig, said(rig, 1, "The second spec holds."));
      await tell(rig, closed(rig, 2));
      const moves = (await rig.store.transitions.after(0, 1000)).filter(({ machine }) => machine === "run");
      const announced = moves.filter(({ to }) => (ANNOUNCED as readonly string[]).includes(to));
      expect(new Set(announced.map(({ to }) => to))).toEqual(new Set(ANNOUNCED));
      for (const move of announced) {
        expect(move).toMatchObject({ agentId: expect.any(Number), issue: expect.any(Number) });
        expect([move.actor, move.event, move.from].filter((text) => text === "")).toEqual([]);
      }
    });
  });

  describe("recovery", () => {
    const cases = [
      { phase: "planning", script: [slowly(MINUTE, edit()), ...work.slice(1)] },
      { phase: "executing", script: [edit(), slowly(MINUTE, commit), openPr, complete] },
      { phase: "adapting", script: [edit(), complete, slowly(MINUTE, commit), openPr, complete] },
    ];
    it.each(cases)(
      "loads the Run from the database in the phase $phase that a crash left it in",
      async ({ phase, script }) => {
        const rig = await aRig({ script: [on(1, ...script)] });
        await rig.engine.handle(labeled(rig, 1));
        await rig.until(phase, async () => (await runOf(rig))?.state === phase);
        const before = await runOf(rig);
        await rig.restart();
        expect(await runOf(rig)).toMatchObject({ id: before?.id, state: phase });
      },
    );

    it("keeps a wait over a restart, and what it waits for", async () => {
      const rig = await aRig({ script: [on(1, blocked(2))] });
      await tell(rig, labeled(rig, 1));
      await rig.restart();
      await rig.idle();
      expect(await runOf(rig)).toMatchObject({ state: "waiting_agent", waitingFor: "#2" });
    });
  });

  describe("an invalid move", () => {
    it("changes nothing and leaves the reason", async () => {
      const rig = await aRig({ script: [on(1, blocked(2))] });
      await tell(rig, labeled(rig, 1));
      const before = [await agentOf(rig), await runOf(rig)];
      await tell(rig, said(rig, 1, "/flotilla resume"));
      expect([await agentOf(rig), await runOf(rig)]).toEqual(before);
      expect(await decisionsOn(rig)).toHaveLength(1);
    });
  });

  describe("the words for people", () => {
    it("say what it waits for, why it failed and by whom it was paused", async () => {
      const refused = { error: { status: 400, message: "no such model" } };
      const rig = await aRig({ script: [on(1, blocked(2)), on(3, { ...refused, when: "^Work on" })] });
      await tell(rig, labeled(rig, 1), labeled(rig, 3));
      expect(statusComments(rig)[0]).toContain("waits for #2");
      expect(statusComments(rig, 3)[0]).toContain("no such model");
      await tell(rig, said(rig, 1, "/flotilla pause"));
      expect(statusComments(rig)[0]).toContain("paused by `@alice`");
    });
  });
}
