import { describe, expect, it } from "vitest";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { IN_PHASE, idling, type Phase, phaseOf, runMoves } from "../in-phase.ts";
import { limitsOf } from "../limits-of.ts";
import { agentOf, commentsOn, runOf, stateOf, toldTo } from "../look.ts";
import { closed, labeled, tell } from "../people.ts";
import { failing, headOf, put } from "../put-checks.ts";
import { aRig, type Rig } from "../rig.ts";
import { blocked, call, commit, complete, edit, on, openPr, review, type Step, work } from "../scripts.ts";

const SHORT = 30_000;

/** The model provider answers 429 to the agent of issue 2: nobody starts or wakes for a minute. */
async function parked(rig: Rig): Promise<void> {
  await rig.engine.handle(labeled(rig, 2));
  await rig.until("it is parked", async () => (await stateOf(rig, "feat-dev-issue-2")) === "SLEEPING");
}

describe("the longest sleep", () => {
  it.each(["initializing", "planning", "executing", "evaluating", "adapting"] as const)(
    "of an agent that a restart put to sleep in %s, and nothing lets awake",
    async (phase) => {
      const { rig, leave } = await IN_PHASE[phase]({
        script: [on(2, { error: { status: 429, message: "slow down" } })],
        settings: limitsOf({ maxSleepDurationMs: SHORT }),
      });
      await parked(rig);
      await rig.restart();
      expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "restart" });
      expect(await phaseOf(rig)).toBe(phase);
      await rig.pass(SHORT);
      leave();
      expect(await runMoves(rig, "TIMEOUT")).toEqual([`${phase} → failed`]);
      expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", breaker: "max_sleep_duration" });
    },
  );

  it.each(["waiting_agent", "waiting_approval"] as const)("of one in %s", async (phase) => {
    const { rig } = await IN_PHASE[phase]();
    await rig.pass(24 * HOUR);
    expect(await runMoves(rig, "TIMEOUT")).toEqual([`${phase} → failed`]);
    expect(await stateOf(rig)).toBe("ESCALATED");
    const moves = await rig.store.transitions.ofAgent((await agentOf(rig)).id);
    const timeOut = moves.find(({ event }) => event === "TIMEOUT");
    expect(timeOut).toMatchObject({ machine: "run", evidence: { sleptMs: 24 * HOUR } });
    expect((await runOf(rig))?.error).toMatch(/^it slept past its deadline, waiting for /);
  });

  it("of one in error whose next try is later than that", async () => {
    const { rig } = await IN_PHASE.error({ settings: limitsOf({ maxSleepDurationMs: 1000 }) });
    await rig.pass(1000);
    expect(await runMoves(rig, "TIMEOUT")).toEqual(["error → failed"]);
    expect(commentsOn(rig).join()).toContain("max_sleep_duration");
  });

  it("of one in waiting_input is the deadline of its question", async () => {
    const { rig } = await IN_PHASE.waiting_input();
    await rig.pass(48 * HOUR);
    expect(await runMoves(rig, "TIMEOUT")).toEqual(["waiting_input → failed"]);
    expect(await stateOf(rig)).toBe("ESCALATED");
  });
});

describe("the limit of turns", () => {
  const reads = call("read_issue", { number: 2 });

  it.each<readonly [Phase, readonly Step[]]>([
    ["planning", [reads, reads, reads, reads]],
    ["adapting", [edit(), complete, reads, reads]],
  ])("asks a person in %s too", async (phase, steps) => {
    const rig = await idling(steps, { settings: limitsOf({ maxTurns: 3 }) });
    expect(await runMoves(rig, "STEP")).toContain(`${phase} → waiting_approval`);
    expect(await agentOf(rig)).toMatchObject({ sleepReason: "approval", turns: 3 });
  });
});

describe("the limit of wakes", () => {
  const settings = limitsOf({ maxIterations: 0 });

  it("holds for one that waits for another issue", async () => {
    const rig = await idling([blocked(2)], { settings });
    await tell(rig, closed(rig, 2));
    expect(await runMoves(rig, "MAX_ITERATIONS")).toEqual(["waiting_agent → failed"]);
  });

  it("holds for one whose claim waits for a required check that fails", async () => {
    const evidence = { ...someSettings().evidence, requiredChecks: ["build"] };
    const rig = await aRig({ settings: { ...settings, evidence }, script: [on(1, ...work)] });
    await tell(rig, labeled(rig, 1));
    expect(await phaseOf(rig)).toBe("evaluating");
    await tell(rig, put(rig, headOf(rig), { build: failing(900) }));
    await rig.pass(5 * MINUTE);
    expect(await runMoves(rig, "MAX_ITERATIONS")).toEqual(["evaluating → failed"]);
  });

  it("holds for one whose work is sent back from its review by a failing check", async () => {
    const rig = await idling([blocked(2), edit(), commit, openPr, review], {
      settings: limitsOf({ maxIterations: 1 }),
    });
    await tell(rig, closed(rig, 2));
    expect(await phaseOf(rig)).toBe("waiting_input");
    rig.repository.requiredChecks = ["build"];
    rig.clock.advance(MINUTE);
    await tell(rig, put(rig, headOf(rig), { build: failing(900) }));
    await rig.pass(5 * MINUTE);
    expect(await runMoves(rig, "MAX_ITERATIONS")).toEqual(["waiting_input → failed"]);
    expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", breaker: "max_iterations" });
    expect(toldTo(rig)).toHaveLength(2);
  });
});
