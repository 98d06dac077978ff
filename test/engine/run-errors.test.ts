import { describe, expect, it } from "vitest";
import { GitError, OutsideError } from "../../src/core/errors.ts";
import { HOUR, MINUTE } from "../factories/moment.ts";
import { someSettings } from "../factories/some-settings.ts";
import { asked, evaluated, submits } from "./evaluating.ts";
import { IN_PHASE, type Phase, phaseOf, runMoves } from "./in-phase.ts";
import { limitsOf } from "./limits-of.ts";
import { agentOf, commentsOn, stateOf, toldTo } from "./look.ts";
import { methodOf } from "./method-of.ts";
import { closed, labeled, said, tell } from "./people.ts";
import { failing, headOf, put } from "./put-checks.ts";
import { aRig, type Rig, type RigOptions } from "./rig.ts";
import {
  blocked,
  call,
  commit,
  complete,
  edit,
  on,
  openPr,
  review,
  type Step,
  say,
  work,
} from "./scripts.ts";

const answers = (status: number): Step => ({ error: { status, message: "it broke" } });

async function begun(steps: readonly Step[], options: RigOptions = {}): Promise<Rig> {
  const rig = await aRig({ ...options, script: [...(options.script ?? []), on(1, ...steps)] });
  await tell(rig, labeled(rig, 1));
  return rig;
}

/** The first worktree cannot be made. */
async function unprepared(error: Error): Promise<Rig> {
  const rig = await aRig({ script: [on(1, ...work)] });
  const prepare = methodOf(rig.worktrees, "prepare");
  rig.worktrees.prepare = () => {
    rig.worktrees.prepare = prepare;
    return Promise.reject(error);
  };
  await tell(rig, labeled(rig, 1));
  return rig;
}

/** The model answers with this status in the phase. */
async function refused(phase: Phase, status: number): Promise<Rig> {
  switch (phase) {
    case "planning":
      return begun([answers(status), ...work]);
    case "executing":
      return begun([edit(), answers(status), ...work]);
    case "adapting":
      return begun([edit(), complete, answers(status), ...work]);
    default: {
      const rig = await evaluated([on(1, ...work), asked("", answers(status), submits(0.9))]);
      await tell(rig, labeled(rig, 1));
      return rig;
    }
  }
}

const MODEL_PHASES = ["planning", "executing", "evaluating", "adapting"] as const;

describe("an error that passes", () => {
  it.each(MODEL_PHASES)("in %s is waited for, and its retry goes on there", async (phase) => {
    const rig = await refused(phase, 503);
    expect(await runMoves(rig, "ERROR")).toEqual([`${phase} → error`]);
    expect(await stateOf(rig)).toBe("SLEEPING");
    await rig.pass(HOUR);
    expect((await runMoves(rig, "RETRY"))[0]).toBe(`error → ${phase}`);
  });

  it("in initializing is waited for too", async () => {
    const rig = await unprepared(new GitError("network", "git is away", { consequence: "retry" }));
    expect(await runMoves(rig, "ERROR")).toEqual(["initializing → error"]);
    await rig.pass(MINUTE);
    expect(await runMoves(rig, "RETRY")).toEqual(["error → initializing"]);
    expect(await stateOf(rig)).toBe("COMPLETED");
  });
});

describe("an error for good", () => {
  it.each(["planning", "executing", "adapting"] as const)(
    "in %s fails the agent with its words",
    async (phase) => {
      const rig = await refused(phase, 400);
      expect(await runMoves(rig, "ERROR")).toEqual([`${phase} → failed`]);
      expect(await agentOf(rig)).toMatchObject({
        state: "FAILED",
        reason: expect.stringContaining("it broke"),
      });
    },
  );

  it("in initializing fails the agent with its words", async () => {
    const rig = await unprepared(new OutsideError("odd", "it broke", { consequence: "stop" }));
    expect(await runMoves(rig, "ERROR")).toEqual(["initializing → failed"]);
    expect(await agentOf(rig)).toMatchObject({
      state: "FAILED",
      reason: expect.stringContaining("it broke"),
    });
  });
});

it("an evaluation that lasts until the limit of time fails the agent", async () => {
  const { rig } = await IN_PHASE.evaluating();
  await rig.work(2 * HOUR);
  await rig.idle();
  expect(await runMoves(rig, "ERROR")).toEqual(["evaluating → failed"]);
  expect(await agentOf(rig)).toMatchObject({ state: "FAILED", breaker: "max_active_duration" });
});

const GIB = 1024 ** 3;

/** It keeps more than its limit, and that is looked at. */
async function fillsTheDisk(rig: Rig): Promise<void> {
  rig.disk.usedBytes.set((await agentOf(rig)).id, 11 * GIB);
  // The first look counts those at rest, the next one stops them.
  await rig.engine.watchDisk();
  rig.clock.advance(MINUTE);
  await rig.engine.watchDisk();
}

describe("a person is needed", () => {
  it("for a worktree whose setup fails: from initializing", async () => {
    const rig = await aRig({
      settings: { setup: { commands: ["npm ci"], network: [], cache: [] } },
      script: [on(1, ...work)],
    });
    rig.runner.ends.set("npm ci", { exitCode: 1, output: "no lock file" });
    await tell(rig, labeled(rig, 1));
    expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", category: "setup" });
    expect(await runMoves(rig, "STEP_FAILED")).toEqual(["initializing → failed"]);
  });

  it.each<readonly [Phase, readonly Step[]]>([
    ["planning", [say("Hm."), say("Hm.")]],
    ["adapting", [edit(), complete, say("Hm."), say("Hm.")]],
  ])("for an agent that says nothing: from %s", async (phase, steps) => {
    const rig = await begun(steps);
    expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", category: "ended_without_report" });
    expect(await runMoves(rig, "STEP_FAILED")).toEqual([`${phase} → failed`]);
  });

  it("for one at its limit of tool calls: from executing", async () => {
    const rig = await begun([edit("a.ts"), edit("b.ts"), say("Hm.")], {
      settings: limitsOf({ maxToolCalls: 1 }),
    });
    expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", breaker: "max_tool_calls" });
    expect(await runMoves(rig, "STEP_FAILED")).toEqual(["executing → failed"]);
  });

  it.each(["waiting_agent", "waiting_approval", "error"] as const)(
    "for a sleeper that keeps too much of the disk: from %s",
    async (phase) => {
      const { rig } = await IN_PHASE[phase]();
      await fillsTheDisk(rig);
      expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", category: "disk" });
      expect(await runMoves(rig, "STEP_FAILED")).toEqual([`${phase} → failed`]);
    },
  );

  it("for one that waits for a person already: nothing changes in the Run", async () => {
    const { rig } = await IN_PHASE.waiting_input();
    await fillsTheDisk(rig);
    expect(await stateOf(rig)).toBe("ESCALATED");
    expect(await phaseOf(rig)).toBe("waiting_input");
  });
});

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
        script: [on(2, answers(429))],
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
    const rig = await begun(steps, { settings: limitsOf({ maxTurns: 3 }) });
    expect(await runMoves(rig, "STEP")).toContain(`${phase} → waiting_approval`);
    expect(await agentOf(rig)).toMatchObject({ sleepReason: "approval", turns: 3 });
  });
});

it("a resume of an escalated agent that was paused lifts the pause, and then lets it go on", async () => {
  const { rig } = await IN_PHASE.waiting_agent();
  await tell(rig, said(rig, 1, "/flotilla pause"));
  await fillsTheDisk(rig);
  expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", heldBy: ["person"] });
  await tell(rig, said(rig, 1, "/flotilla resume"));
  const moves = await rig.store.transitions.ofAgent((await agentOf(rig)).id);
  const resumed = moves.filter(({ machine, event }) => machine === "agent" && event === "RESUME");
  expect(resumed.map(({ from, to }) => `${from} → ${to}`)).toEqual([
    "ESCALATED → ESCALATED",
    "ESCALATED → ACTIVE",
  ]);
  expect((await agentOf(rig)).heldBy).toEqual([]);
});

describe("the limit of wakes", () => {
  const settings = limitsOf({ maxIterations: 0 });

  it("holds for one that waits for another issue", async () => {
    const rig = await begun([blocked(2)], { settings });
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
    const rig = await begun([blocked(2), edit(), commit, openPr, review], {
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
