import { describe, expect, it } from "vitest";
import { GitError, OutsideError } from "../../../src/domain/kernel/errors.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { asked, evaluated, submits } from "../evaluating.ts";
import { IN_PHASE, idling, type Phase, phaseOf, runMoves } from "../in-phase.ts";
import { limitsOf } from "../limits-of.ts";
import { agentOf, stateOf } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { complete, edit, on, type Step, say, work } from "../scripts.ts";

const answers = (status: number): Step => ({ error: { status, message: "it broke" } });

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
      return idling([answers(status), ...work]);
    case "executing":
      return idling([edit(), answers(status), ...work]);
    case "adapting":
      return idling([edit(), complete, answers(status), ...work]);
    default: {
      const rig = await evaluated([on(1, ...work), asked("", answers(status), submits(0.9))]);
      await tell(rig, labeled(rig, 1));
      return rig;
    }
  }
}

const MODEL_PHASES = ["planning", "executing", "evaluating", "adapting"] as const;

describe("an error that passes", () => {
  it.each(MODEL_PHASES)("in %s is waited for, and its retry continues there", async (phase) => {
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
      settings: {
        setup: {
          commands: ["npm ci"],
          network: [],
          cache: [],
          reuse: [],
          repositoriesMay: { commands: true, services: true, hosts: [] },
          environment: {},
        },
      },
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
    const rig = await idling(steps);
    expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", category: "ended_without_report" });
    expect(await runMoves(rig, "STEP_FAILED")).toEqual([`${phase} → failed`]);
  });

  it("for one at its limit of tool calls: from executing", async () => {
    const rig = await idling([edit("a.ts"), edit("b.ts"), say("Hm.")], {
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

it("a resume of an escalated agent that was paused lifts the pause, and then lets it continue", async () => {
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
