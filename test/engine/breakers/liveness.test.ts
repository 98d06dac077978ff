import { expect, it } from "vitest";
import { MINUTE } from "../../factories/moment.ts";
import { agentOf, commentsOn, decisionsOn, historyOf, sessionsOf, stateOf, toldTo } from "../look.ts";
import { minutes } from "../minutes.ts";
import { labeled } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, call, edit, on, slowly, work } from "../scripts.ts";

async function thinking(rig: Rig): Promise<string> {
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it thinks", () => rig.runtime.requests.length === 1);
  return (await agentOf(rig)).sessionId ?? "";
}

const silent = on(1, ...Array.from({ length: 5 }, () => slowly(60 * MINUTE, edit())), ...work.slice(1));

it("lets a model think for ten minutes whose runtime answers", async () => {
  const rig = await aRig({ script: [on(1, slowly(10 * MINUTE, edit()), ...work.slice(1))] });
  await thinking(rig);
  await minutes(rig, 10);
  await rig.idle();
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "COMPLETED"]);
  expect(await decisionsOn(rig)).toEqual([]);
});

it("ends a deaf runtime after two probes, as a crash with its evidence, and not before", async () => {
  const rig = await aRig({ script: [silent] });
  rig.runtime.deafen(await thinking(rig));
  await minutes(rig, 2);
  expect(await stateOf(rig)).toBe("ACTIVE");
  await minutes(rig, 1);
  await rig.idle();
  const agent = await agentOf(rig);
  expect(agent).toMatchObject({ state: "SLEEPING", sleepReason: "retry", restarts: 1 });
  expect(rig.runtime.running.size).toBe(0);
  const moves = await rig.store.transitions.ofAgent(agent.id);
  expect(moves.findLast(({ machine, event }) => machine === "agent" && event === "WAIT")).toMatchObject({
    reason: expect.stringContaining("it hangs (180 s without a sign of life, asked 2 times"),
    evidence: {
      kind: "hung",
      probes: [
        { process: true, answered: false },
        { process: true, answered: false },
      ],
    },
  });
  expect((await sessionsOf(rig)).at(-1)).toMatchObject({ reason: "crashed" });
});

it("spares one that answers the second probe, and leaves a decision", async () => {
  const rig = await aRig({ script: [on(1, slowly(8 * MINUTE, edit()), ...work.slice(1))] });
  const session = await thinking(rig);
  rig.runtime.deafen(session);
  await minutes(rig, 2);
  rig.runtime.deafen(session, false);
  await minutes(rig, 6);
  await rig.idle();
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(await decisionsOn(rig)).toEqual(["liveness"]);
});

it("does not take it for the agent's fault that the host stood still", async () => {
  const rig = await aRig({ script: [on(1, slowly(26 * MINUTE, edit()), ...work.slice(1))] });
  await thinking(rig);
  await minutes(rig, 1);
  rig.clock.advance(20 * MINUTE);
  await minutes(rig, 5);
  await rig.idle();
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "COMPLETED"]);
  expect(await decisionsOn(rig)).toEqual([]);
});

it("fails one that hangs again and again, after max_restarts", async () => {
  const rig = await aRig({ script: [silent] });
  const deafen = async () => rig.runtime.deafen((await agentOf(rig)).sessionId ?? "");
  await thinking(rig);
  await deafen();
  for (let life = 1; life < 4; life += 1) {
    await minutes(rig, 3);
    await rig.idle();
    expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", restarts: life });
    rig.clock.advance(MINUTE);
    await rig.engine.tick();
    await rig.until("it thinks again", () => rig.runtime.requests.length === life + 1);
  }
  await minutes(rig, 3);
  await rig.idle();
  expect(await stateOf(rig)).toBe("FAILED");
  expect(commentsOn(rig).join()).toContain("it hangs");
});

it("ends a tool past its deadline with its turn, and not the agent", async () => {
  const hang = call("read_issue");
  const rig = await aRig({
    script: [on(1, hang, after("The host ended your last turn", edit()), ...work.slice(1))],
  });
  const issue = rig.github.issue.bind(rig.github);
  let calls = 0;
  rig.github.issue = (...args) => {
    // Before the model was asked they are the opening message's own and the label's.
    calls += rig.runtime.requests.length > 0 ? 1 : 0;
    return calls === 1 ? new Promise(() => {}) : issue(...args);
  };
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("the tool hangs", () => calls === 1);
  await minutes(rig, 5);
  expect(toldTo(rig)).toHaveLength(1);
  await minutes(rig, 2);
  await rig.idle();
  expect(toldTo(rig)[1]).toContain("a tool is past its deadline (read_issue");
  expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", restarts: 0, sessionCount: 1 });
});

it("spares a deaf runtime whose agent continues changing files", async () => {
  const rig = await aRig({ script: [silent] });
  rig.runtime.deafen(await thinking(rig));
  for (let minute = 0; minute < 6; minute += 1) {
    rig.worktrees.write("feat-dev-issue-1", "made.ts", String(minute));
    await minutes(rig, 1);
  }
  expect(await agentOf(rig)).toMatchObject({ state: "ACTIVE", restarts: 0 });
});

it("does not renew the lease of a suspect", async () => {
  const rig = await aRig({ script: [silent] });
  const session = await thinking(rig);
  await minutes(rig, 1);
  rig.runtime.deafen(session);
  await minutes(rig, 1);
  const { leaseUntil } = await agentOf(rig);
  rig.clock.advance(MINUTE / 2);
  await rig.engine.tick();
  expect((await agentOf(rig)).leaseUntil).toBe(leaseUntil);
  rig.runtime.deafen(session, false);
  await minutes(rig, 2);
  expect((await agentOf(rig)).leaseUntil).toBeGreaterThan(rig.clock.now());
});
