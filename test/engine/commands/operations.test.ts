import { describe, expect, it } from "vitest";
import { MINUTE } from "../../factories/moment.ts";
import { agentOf, answersTo, commentsOn, historyOf, sessionsOf, stateOf, toldTo } from "../look.ts";
import { labeled, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, edit, escalate, on, slowly, work } from "../scripts.ts";
import { act, asleep, ended, KEY } from "../under-operation.ts";

const message = (text: string, id = "m1") => ({ agent: KEY, id, text });
/** One agent that takes a minute for its first call, then hears what `next` says. */
async function atWork(next = after("This happened in the meantime", edit("heard.ts"))): Promise<Rig> {
  const rig = await aRig({ script: [on(1, slowly(MINUTE, edit()), next, ...work.slice(1))] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it talks", () => rig.runtime.requests.length === 1);
  return rig;
}

describe("send", () => {
  it("wakes a sleeper with the words", async () => {
    const rig = await asleep();
    expect(await rig.engine.operations.send(message("Use port 80."))).toEqual({
      state: "SLEEPING",
      heard: "when it wakes",
    });
    await rig.idle();
    expect(toldTo(rig)[1]).toContain("The operator says:\n\nUse port 80.");
    expect(await stateOf(rig)).toBe("COMPLETED");
  });

  it("is heard once by an agent at work, however often it is sent", async () => {
    const rig = await atWork();
    for (let time = 0; time < 3; time += 1)
      expect(await rig.engine.operations.send(message("Use port 80."))).toEqual({
        state: "ACTIVE",
        heard: "with the next answer",
      });
    rig.clock.advance(MINUTE);
    await rig.idle();
    expect([...toldTo(rig), ...answersTo(rig)].join().split("Use port 80.")).toHaveLength(2);
  });

  it("to one that has ended is refused: it is dead", async () => {
    const rig = await ended();
    await expect(rig.engine.operations.send(message("Hello?"))).rejects.toMatchObject({
      code: "dead_agent",
      fault: { agent: "feat-dev-issue-1", operation: "send" },
    });
  });

  it("to nobody is refused", async () => {
    const rig = await aRig();
    for (const agent of [KEY, "acme/none:feat-dev-issue-1"])
      await expect(rig.engine.operations.send({ ...message("Hello?"), agent })).rejects.toMatchObject({
        code: "not_found",
        message: `there is no agent ${agent}`,
      });
  });

  it("to an agent of one run is a capability mismatch, and leaves nothing", async () => {
    const rig = await aRig({ script: [on(1, slowly(MINUTE, edit()))] });
    await rig.engine.handle(labeled(rig, 1));
    const agent = await agentOf(rig);
    await rig.store.records.save("agent", agent, { ...agent, mode: "one_shot" });
    await expect(rig.engine.operations.send(message("Hello?"))).rejects.toMatchObject({
      code: "capability_mismatch",
      fault: { runtime: "copilot" },
    });
    expect(await rig.store.wakes.pending(agent.id)).toEqual([]);
  });
});

describe("interrupt", () => {
  it("ends the exchange and keeps the conversation, which continues with what was said", async () => {
    const rig = await atWork(after("The operator interrupted you", edit("other.ts")));
    expect(await rig.engine.operations.interrupt(message("Not that file."))).toEqual({ interrupted: true });
    await rig.idle();
    expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "COMPLETED"]);
    expect(toldTo(rig)[1]).toContain("The operator interrupted you.\n\nNot that file.");
    expect(await sessionsOf(rig)).toHaveLength(1);
    expect((await agentOf(rig)).nudges).toBe(0);
  });

  it("needs no words", async () => {
    const rig = await atWork(after("The operator interrupted you", edit("other.ts")));
    await rig.engine.operations.interrupt(message(""));
    await rig.idle();
    expect(toldTo(rig)[1]).toContain("Look at what you were doing before you continue.");
  });

  it("of a sleeper is refused, of a paused one it does nothing", async () => {
    const rig = await asleep();
    await expect(rig.engine.operations.interrupt(message(""))).rejects.toMatchObject({
      code: "invalid_state",
      fault: { state: "idle", operation: "interrupt" },
    });
    await rig.engine.operations.pause(act);
    expect(await rig.engine.operations.interrupt(message(""))).toEqual({ interrupted: false });
    expect(toldTo(rig)).toHaveLength(1);
  });
});

describe("pause and resume", () => {
  it("save one at work, hold it until it is resumed, and say why", async () => {
    const rig = await atWork(after("You are awake again", edit("late.ts")));
    expect(await rig.engine.operations.pause({ ...act, reason: "too dear" })).toMatchObject({
      state: "SLEEPING",
      heldBy: ["person"],
      reason: "paused by the operator: too dear",
    });
    await rig.idle();
    expect(rig.runtime.running.size).toBe(0);
    expect(await rig.engine.operations.resume({ ...act, id: "a2" })).toMatchObject({ heldBy: [] });
    await rig.idle();
    expect(await stateOf(rig)).toBe("COMPLETED");
    expect(toldTo(rig)[1]).toContain("The operator says: continue.");
  });

  it("let an escalated one continue, which cannot be paused", async () => {
    const rig = await aRig({
      script: [on(1, escalate, after("You are awake again", edit()), ...work.slice(1))],
    });
    await tell(rig, labeled(rig, 1));
    await expect(rig.engine.operations.pause(act)).rejects.toMatchObject({
      code: "invalid_state",
      fault: { state: "ESCALATED", operation: "pause" },
    });
    await rig.engine.operations.resume(act);
    await rig.idle();
    expect(await stateOf(rig)).toBe("COMPLETED");
  });

  it("are refused where there is nothing to do", async () => {
    const rig = await ended();
    await expect(rig.engine.operations.pause(act)).rejects.toMatchObject({ code: "dead_agent" });
    await expect(rig.engine.operations.resume(act)).rejects.toMatchObject({ code: "dead_agent" });
    const other = await asleep();
    await expect(other.engine.operations.resume(act)).rejects.toMatchObject({ code: "invalid_state" });
  });
});

describe("kill", () => {
  it("cancels the agent and has ended its process when it is done", async () => {
    const rig = await atWork();
    expect(await rig.engine.operations.kill({ ...act, reason: "wrong branch" })).toMatchObject({
      state: "CANCELLED",
      reason: "wrong branch",
    });
    expect(rig.runtime.running.size).toBe(0);
    await rig.idle();
    expect(commentsOn(rig).at(-1)).toContain("The operator ended **feat-dev**: wrong branch.");
    expect((await sessionsOf(rig)).at(-1)).toMatchObject({ state: "stopped", reason: "cancelled" });
  });

  it("of a sleeper needs no process, of a dead one is refused", async () => {
    const rig = await asleep();
    expect(await rig.engine.operations.kill(act)).toMatchObject({ state: "CANCELLED" });
    // Its conversation is being ended: the same is no fault.
    expect(await rig.engine.operations.kill(act)).toMatchObject({ state: "CANCELLED" });
    await rig.idle();
    // The same request again has the answer of the first.
    expect(await rig.engine.operations.kill(act)).toMatchObject({ state: "CANCELLED" });
    const later = { ...act, id: "later" };
    await expect(rig.engine.operations.kill(later)).rejects.toMatchObject({ code: "dead_agent" });
  });
});
