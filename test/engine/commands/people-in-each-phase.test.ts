import { describe, expect, it } from "vitest";
import { HOUR } from "../../factories/moment.ts";
import { IN_PHASE, PHASES, phaseOf, runMoves } from "../in-phase.ts";
import { agentOf, stateOf, taskOf } from "../look.ts";
import { closed, said } from "../people.ts";

const LIVE = PHASES.filter((phase) => phase !== "paused" && phase !== "error");

describe.each(PHASES)("in the phase %s", (phase) => {
  it("the agent can be brought there", async () => {
    const { rig } = await IN_PHASE[phase]();
    expect(await phaseOf(rig)).toBe(phase);
  });

  it("a cancel ends the Run as cancelled and frees the task", async () => {
    const { rig, leave } = await IN_PHASE[phase]();
    await rig.engine.handle(said(rig, 1, "/flotilla cancel"));
    leave();
    await rig.idle();
    expect(await runMoves(rig, "CANCEL")).toEqual([`${phase} → cancelled`]);
    expect(await stateOf(rig)).toBe("CANCELLED");
    expect((await taskOf(rig))?.state).toBe("UNCLAIMED");
    expect(rig.runtime.running.size).toBe(0);
  });

  it("an issue that a person's merge closes ends the Run well", async () => {
    const { rig, leave } = await IN_PHASE[phase]();
    await rig.engine.handle(closed(rig, 1, { merged: 9 }));
    leave();
    await rig.idle();
    expect(await runMoves(rig, "OBSERVED_DONE")).toEqual([`${phase} → succeeded`]);
    expect(await stateOf(rig)).toBe("COMPLETED");
    expect((await taskOf(rig))?.state).toBe("MERGED");
    expect(rig.runtime.running.size).toBe(0);
  });
});

it.each(LIVE)("a pause in %s holds the agent, and a resume leads back there", async (phase) => {
  const { rig, leave } = await IN_PHASE[phase]();
  await rig.engine.handle(said(rig, 1, "/flotilla pause"));
  leave();
  await rig.idle();
  expect(await runMoves(rig, "PAUSE")).toEqual([`${phase} → paused`]);
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", heldBy: ["person"] });
  expect(rig.runtime.running.size).toBe(0);
  await rig.engine.handle(said(rig, 1, "/flotilla resume"));
  await rig.until("it is back", async () => (await runMoves(rig, "RESUME")).length > 0);
  expect(await runMoves(rig, "RESUME")).toEqual([`paused → ${phase}`]);
  expect((await agentOf(rig)).heldBy).toEqual([]);
});

it("a pause in error holds the agent, whose Run stays there, and a resume tries it again", async () => {
  const { rig, leave } = await IN_PHASE.error();
  await rig.engine.handle(said(rig, 1, "/flotilla pause"));
  leave();
  await rig.idle();
  expect(await runMoves(rig, "PAUSE")).toEqual([]);
  expect(await phaseOf(rig)).toBe("error");
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", heldBy: ["person"] });
  await rig.pass(24 * HOUR);
  expect(await phaseOf(rig)).toBe("error");
  await rig.engine.handle(said(rig, 1, "/flotilla resume"));
  await rig.until("it is back", async () => (await runMoves(rig, "RETRY")).length > 0);
  expect((await agentOf(rig)).heldBy).toEqual([]);
});
