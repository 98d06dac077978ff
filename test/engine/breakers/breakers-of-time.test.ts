import { expect, it } from "vitest";
import { aRole } from "../../factories/a-role.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { rolesOf } from "../../factories/some-settings.ts";
import { limitsOf } from "../limits-of.ts";
import {
  agentOf,
  commentsOn,
  decisionsOn,
  historyOf,
  runOf,
  sessionsOf,
  stateOf,
  taskOf,
  toldTo,
} from "../look.ts";
import { methodOf } from "../method-of.ts";
import { closed, labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, blocked, complete, edit, on, slowly, work } from "../scripts.ts";

const talking = (rig: Rig, requests: number) =>
  rig.until("it talks", () => rig.runtime.requests.length === requests);

/** Work in which the model says a word now and then. */
async function thinkAloud(rig: Rig, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 8 * MINUTE) {
    rig.runtime.opened.at(-1)?.onEvent({ type: "sign", of: "model" });
    await rig.work(Math.min(left, 8 * MINUTE));
  }
}

it("fails at max_active_duration, summed over its periods, and not before", async () => {
  const slow = [slowly(HOUR, blocked(2)), after("which blocked you", slowly(9 * HOUR, edit()))];
  const rig = await aRig({ script: [on(1, ...slow)] });
  await rig.engine.handle(labeled(rig, 1));
  await talking(rig, 1);
  await thinkAloud(rig, HOUR);
  await rig.idle();
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", activeMs: HOUR });
  await rig.pass(5 * HOUR);
  await rig.engine.handle(closed(rig, 2));
  await talking(rig, 2);
  await thinkAloud(rig, HOUR - 1);
  expect(await stateOf(rig)).toBe("ACTIVE");
  await rig.work(1);
  await rig.idle();
  expect(await agentOf(rig)).toMatchObject({ state: "FAILED", breaker: "max_active_duration" });
  expect(commentsOn(rig).join()).toContain("max_active_duration");
  expect((await runOf(rig))?.state).toBe("failed");
  expect(await taskOf(rig)).toMatchObject({ state: "UNCLAIMED", failedBy: [(await agentOf(rig)).id] });
  expect(rig.runtime.running.size).toBe(0);
});

it("ends an exchange at max_active_duration by itself, between two rounds of the watchdog", async () => {
  const rig = await aRig({
    settings: limitsOf({ maxActiveDurationMs: MINUTE }),
    script: [on(1, slowly(HOUR, edit()))],
  });
  await rig.engine.handle(labeled(rig, 1));
  await talking(rig, 1);
  rig.clock.advance(MINUTE - 1);
  expect(await stateOf(rig)).toBe("ACTIVE");
  rig.clock.advance(1);
  await rig.until("it failed", async () => (await stateOf(rig)) === "FAILED");
  expect((await agentOf(rig)).reason).toBe("the limit max_active_duration is reached");
});

it("stops an agent at max_active_duration that hangs outside an exchange", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  const hung = Promise.withResolvers<void>();
  const inspect = methodOf(rig.worktrees, "inspect");
  rig.worktrees.inspect = async (...args) => {
    await hung.promise;
    return inspect(...args);
  };
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it is evaluated", async () => (await runOf(rig))?.state === "evaluating");
  await rig.work(2 * HOUR - 1);
  expect(await stateOf(rig)).toBe("ACTIVE");
  await rig.work(1);
  expect(await agentOf(rig)).toMatchObject({ state: "FAILED", breaker: "max_active_duration" });
  hung.resolve();
  await rig.idle();
  expect(await stateOf(rig)).toBe("FAILED");
});

it("asks a person at the wake after max_iterations", async () => {
  const script = [
    on(
      1,
      blocked(2),
      after("#2, which blocked", blocked(3)),
      after("#3, which blocked", blocked(4)),
      after("A person told you to continue", blocked(5)),
    ),
  ];
  const rig = await aRig({ settings: limitsOf({ maxIterations: 2 }), script, issues: 6 });
  await tell(rig, labeled(rig, 1));
  await tell(rig, closed(rig, 2));
  await tell(rig, closed(rig, 3));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", wakes: 2 });
  await tell(rig, closed(rig, 4));
  expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", breaker: "max_iterations", wakes: 2 });
  expect(commentsOn(rig).join()).toContain("max_iterations");
  expect((await runOf(rig))?.state).toBe("failed");
  // A person lets it continue: half of the limit more.
  await tell(rig, said(rig, 1, "/flotilla resume"));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", blockedBy: [5], extraWakes: 1 });
  expect(toldTo(rig).at(-1)).toContain("#4, which blocked you");
});

it("asks a person at the max_iterations of its role, which is lower than that of all roles", async () => {
  const roles = rolesOf(aRole(), aRole({ name: "bug-fix", triggers: [] }));
  const waits = [blocked(2), blocked(3), blocked(4)];
  const rig = await aRig({
    settings: { roles, ...limitsOf({ maxIterations: 5 }, { "bug-fix": { maxIterations: 1 } }) },
    script: [on(1, ...waits), on(5, ...waits)],
    issues: 5,
  });
  await tell(rig, labeled(rig, 1), said(rig, 5, "/flotilla start bug-fix"));
  await tell(rig, closed(rig, 2));
  expect(await agentOf(rig, "bug-fix-issue-5")).toMatchObject({ state: "SLEEPING", wakes: 1 });
  await tell(rig, closed(rig, 3));
  const limited = { state: "ESCALATED", breaker: "max_iterations", wakes: 1 };
  expect(await agentOf(rig, "bug-fix-issue-5")).toMatchObject(limited);
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", wakes: 2 });
});

it("counts no wake by a person", async () => {
  const script = [on(1, blocked(2), after("hello", blocked(2)))];
  const rig = await aRig({ settings: limitsOf({ maxIterations: 1 }), script });
  await tell(rig, labeled(rig, 1));
  for (let round = 0; round < 3; round += 1) await tell(rig, said(rig, 1, "@flotilla hello"));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", wakes: 0, token: 4 });
});

it("asks a person at max_sleep_duration and not before, and wakes when what it waited for happens after all", async () => {
  const rig = await aRig({
    script: [on(1, blocked(2), after("which blocked you", edit()), ...work.slice(1))],
  });
  await tell(rig, labeled(rig, 1));
  await rig.pass(24 * HOUR - 1);
  expect(await stateOf(rig)).toBe("SLEEPING");
  await rig.pass(1);
  expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", breaker: "max_sleep_duration" });
  expect(commentsOn(rig).join()).toContain("waiting for #2");
  await tell(rig, closed(rig, 2));
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "SLEEPING", "ESCALATED", "ACTIVE", "COMPLETED"]);
});

it("warns the log once of a sleep that comes near its limit, and not before", async () => {
  const rig = await aRig({ script: [on(1, blocked(2))] });
  const near = () => rig.logged.filter(({ message }) => message === "an agent comes near a limit");
  await tell(rig, labeled(rig, 1));
  await rig.pass(0.8 * 24 * HOUR - 1);
  expect(near()).toEqual([]);
  await rig.pass(1);
  await rig.pass(HOUR);
  await rig.restart();
  await rig.pass(HOUR);
  expect(near()).toHaveLength(1);
  expect(await stateOf(rig)).toBe("SLEEPING");
});

it("does not escalate a paused agent however long it is held", async () => {
  const rig = await aRig({ script: [on(1, slowly(MINUTE, complete))] });
  await rig.engine.handle(labeled(rig, 1));
  await talking(rig, 1);
  await tell(rig, said(rig, 1, "/flotilla pause"));
  await rig.pass(100 * HOUR);
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", heldBy: ["person"] });
  expect(await decisionsOn(rig)).toEqual(["reminded"]);
});

it("renews the lease while a long call is in flight", async () => {
  const rig = await aRig({ script: [on(1, slowly(HOUR / 5, edit()), ...work.slice(1))] });
  await rig.engine.handle(labeled(rig, 1));
  await talking(rig, 1);
  await rig.work(HOUR / 6);
  const { leaseUntil, lastActivityAt } = await agentOf(rig);
  expect(leaseUntil).toBeGreaterThan(rig.clock.now());
  expect(lastActivityAt).toBeLessThan(rig.clock.now() - HOUR / 8);
  await rig.work(HOUR / 6);
  await rig.idle();
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("has an agent back two seconds after its lease was lost, which is no crash", async () => {
  const rig = await aRig({ script: [on(1, slowly(HOUR, edit()), ...work.slice(1))] });
  const open = methodOf(rig.runtime, "open");
  rig.runtime.open = async (spec) => {
    rig.runtime.open = open;
    const session = await open(spec);
    return { ...session, exchange: () => Promise.resolve({ kind: "aborted" }) };
  };
  await tell(rig, labeled(rig, 1));
  await rig.work(4 * MINUTE);
  expect(await stateOf(rig)).toBe("ACTIVE");
  rig.clock.advance(2 * MINUTE);
  await rig.engine.tick();
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "retry", restarts: 0 });
  expect((await sessionsOf(rig)).at(-1)?.reason).toBe("lease_lost");
  await rig.pass(1_999);
  expect(await stateOf(rig)).toBe("SLEEPING");
  rig.clock.advance(1);
  await rig.engine.tick();
  await rig.until("it is awake", async () => (await stateOf(rig)) === "ACTIVE");
});
