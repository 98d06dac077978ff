import { expect, it } from "vitest";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import {
  agentOf,
  answersTo,
  commentsOn,
  historyOf,
  runOf,
  sessionsOf,
  stateOf,
  taskOf,
  toldTo,
} from "../look.ts";
import { methodOf } from "../method-of.ts";
import { closed, labeled, tell } from "../people.ts";
import { aRig } from "../rig.ts";
import { after, blocked, complete, edit, escalate, on, slowly, work } from "../scripts.ts";

const waitsForTwo = on(1, blocked(2), after("#2, which blocked you", edit()), ...work.slice(1));

it("sleeps behind its blocker: comment, dependency, free slot, conversation kept", async () => {
  const rig = await aRig({ script: [waitsForTwo] });
  await tell(rig, labeled(rig, 1));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "blocked", blockedBy: [2] });
  expect((await runOf(rig))?.state).toBe("waiting_agent");
  expect((await taskOf(rig))?.state).toBe("CLAIMED");
  expect(commentsOn(rig).join()).toMatch(/#2/);
  expect([...(rig.repository.blockedBy.get(1) ?? [])]).toEqual([2]);
  expect(await rig.store.records.slotsInUse()).toBe(0);
  expect(rig.runtime.running.size).toBe(0);
});

it("wakes within reconcile_every when nobody told that the blocker was closed", async () => {
  const rig = await aRig({ script: [waitsForTwo] });
  await tell(rig, labeled(rig, 1));
  await rig.pass(5 * MINUTE);
  expect(await stateOf(rig)).toBe("SLEEPING");
  // Its webhook is lost.
  closed(rig, 2);
  await rig.pass(5 * MINUTE - 1);
  expect(await stateOf(rig)).toBe("SLEEPING");
  await rig.pass(1);
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "SLEEPING", "ACTIVE", "COMPLETED"]);
  expect(toldTo(rig)[1]).toContain("#2, which blocked you, was closed.");
});

it("asks after its blocker once in each reconcile_every", async () => {
  const rig = await aRig({ script: [waitsForTwo] });
  await tell(rig, labeled(rig, 1));
  await rig.pass(5 * MINUTE);
  const asked = async () => (await rig.store.effects.find({ kind: "recheck_blocker" })).length;
  const before = await asked();
  for (let second = 0; second < 60; second += 1) await rig.pass(1000);
  expect(await asked()).toBe(before);
  await rig.pass(5 * MINUTE);
  expect(await asked()).toBe(before + 1);
});

it("wakes once in the same conversation when the blocker closes, and finishes", async () => {
  const rig = await aRig({ script: [waitsForTwo] });
  await tell(rig, labeled(rig, 1));
  rig.clock.advance(3 * HOUR);
  await tell(rig, closed(rig, 2));
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "SLEEPING", "ACTIVE", "COMPLETED"]);
  expect(await sessionsOf(rig)).toMatchObject([{ lives: 2 }]);
  expect(toldTo(rig)).toHaveLength(2);
  expect(toldTo(rig)[1]).toContain("#2, which blocked you, was closed.");
  expect(toldTo(rig)[1]).toContain("You slept 3 h");
  expect((await agentOf(rig)).wakes).toBe(1);
});

it("says how the blocker was closed", async () => {
  const rig = await aRig({ script: [waitsForTwo] });
  await tell(rig, labeled(rig, 1));
  const event = closed(rig, 2);
  await tell(rig, { ...event, issue: { ...event.issue, stateReason: "not_planned" } });
  expect(toldTo(rig)[1]).toContain("closed as not planned");
});

it("wakes once although the blocker is closed twice", async () => {
  const rig = await aRig({ script: [on(1, blocked(2), after("which blocked you", blocked(3)))] });
  await tell(rig, labeled(rig, 1));
  await rig.engine.handle(closed(rig, 2));
  await tell(rig, closed(rig, 2));
  await tell(rig, closed(rig, 2));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", blockedBy: [3], wakes: 1, token: 2 });
});

it("tolerates a server without dependencies", async () => {
  const rig = await aRig({ script: [waitsForTwo] });
  const unsupported = new GitHubError("unsupported", "no such API", 404, { consequence: "stop" });
  rig.github.failNext("addBlockedBy", unsupported, "before");
  await tell(rig, labeled(rig, 1));
  const [row] = await rig.store.effects.find({ kind: "add_blocked_by" });
  expect(row).toMatchObject({ state: "done", result: { written: false } });
  expect(await stateOf(rig)).toBe("SLEEPING");
});

it("finds a blocker that was closed between the look and the sleep", async () => {
  const rig = await aRig({ script: [waitsForTwo] });
  rig.onCrashPoint = (name) => {
    // No webhook tells of it: only the second look can.
    if (name === "effect:add_blocked_by") closed(rig, 2);
  };
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect((await agentOf(rig)).wakes).toBe(1);
});

it("wakes for one close although webhook and second look both see it", async () => {
  const rig = await aRig({ script: [on(1, blocked(2), after("which blocked you", blocked(3)))] });
  let told: Promise<void> | undefined;
  rig.onCrashPoint = (name) => {
    if (name === "effect:add_blocked_by") told ??= rig.engine.handle(closed(rig, 2));
  };
  await tell(rig, labeled(rig, 1));
  await told;
  await rig.idle();
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", blockedBy: [3], wakes: 1 });
});

it("does not wake before the stop of the last period is over", async () => {
  const rig = await aRig({ script: [on(1, blocked(2), after("which blocked you", blocked(3)))] });
  const stop = Promise.withResolvers<null>();
  const checkpoint = methodOf(rig.worktrees, "checkpoint");
  rig.worktrees.checkpoint = async () => stop.promise;
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it sleeps", async () => (await stateOf(rig)) === "SLEEPING");
  await rig.engine.handle(closed(rig, 2));
  await rig.engine.tick();
  expect(await stateOf(rig)).toBe("SLEEPING");
  rig.worktrees.checkpoint = checkpoint;
  stop.resolve(null);
  await rig.idle();
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", blockedBy: [3], wakes: 1 });
  expect(await sessionsOf(rig)).toMatchObject([{ state: "idle", lives: 2 }]);
});

it.each([
  ["its own issue", 1, "cannot block itself"],
  ["an issue that does not exist", 99, "does not exist"],
  ["an issue that is closed", 3, "already closed"],
])("refuses a block by %s to the model, and the agent continues", async (_, issue, words) => {
  const rig = await aRig({ script: [on(1, blocked(issue), ...work)] });
  closed(rig, 3);
  await tell(rig, labeled(rig, 1));
  expect(answersTo(rig).join()).toContain(words);
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "COMPLETED"]);
});

it.each([2, 3])("refuses a block that would close a circle of %i agents", async (size) => {
  const issues = Array.from({ length: size }, (_, index) => index + 1);
  const script = issues.map((issue) =>
    issue === size ? on(issue, blocked(1), escalate) : on(issue, blocked(issue + 1)),
  );
  const rig = await aRig({ script });
  for (const issue of issues) await tell(rig, labeled(rig, issue));
  expect(answersTo(rig, size).join()).toContain("waits for you already");
  expect(await stateOf(rig, `feat-dev-issue-${size}`)).toBe("ESCALATED");
  expect(await stateOf(rig, "feat-dev-issue-1")).toBe("SLEEPING");
});

it("lets only one of two agents sleep that report each other at the same moment", async () => {
  const rig = await aRig({
    script: [on(1, slowly(1000, blocked(2)), complete), on(2, slowly(1000, blocked(1)), complete)],
  });
  // Both looks at GitHub, the second ones too, are answered only when both have been asked.
  let other: (() => void) | undefined;
  const issue = methodOf(rig.github, "issue");
  await rig.engine.handle(labeled(rig, 1));
  await rig.engine.handle(labeled(rig, 2));
  await rig.until("both talk", () => rig.runtime.requests.length === 2);
  rig.github.issue = async (ref, number) => {
    const both = Promise.withResolvers<void>();
    const first = other;
    other = first === undefined ? both.resolve : undefined;
    if (first === undefined) await both.promise;
    first?.();
    return issue(ref, number);
  };
  rig.clock.advance(1000);
  await rig.until(
    "one sleeps",
    async () => (await rig.store.records.find("agent", { state: "SLEEPING" })).length > 0,
  );
  rig.github.issue = issue;
  other?.();
  await rig.idle();
  const agents = await rig.store.records.find("agent", {});
  expect(agents.filter(({ sleepReason }) => sleepReason === "blocked")).toHaveLength(1);
});

it("takes a blocker that was closed after the report as no block, and says so", async () => {
  const rig = await aRig({ script: [on(1, blocked(2), after("already closed", edit()), ...work.slice(1))] });
  rig.onCrashPoint = (name) => {
    if (name === "turn:ended" && rig.repository.issues.get(2)?.state === "open") closed(rig, 2);
  };
  await tell(rig, labeled(rig, 1));
  expect(toldTo(rig)[1]).toContain("#2 is already closed");
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "COMPLETED"]);
});
