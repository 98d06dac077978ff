import { expect, it } from "vitest";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { MINUTE } from "../../factories/moment.ts";
import { historyOf, stateOf, statusComments, toldTo } from "../look.ts";
import { blockerChanged, closed, labeled, reopened, tell, unlabeled } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, blocked, edit, on, work } from "../scripts.ts";

const unavailable = new GitHubError("unavailable", "no answer", 0, { consequence: "retry" });

async function blockedRig(blockers: readonly number[] = [2]): Promise<Rig> {
  const rig = await aRig({ script: [on(1, ...work)] });
  rig.repository.blockedBy.set(1, new Set(blockers));
  return rig;
}

async function decisionsOn(rig: Rig) {
  const rows = await rig.store.decisions.ofIssue(7, 1, 20);
  return rows.map(({ rule, reason, change }) => ({ rule, reason, change }));
}

it("does not start while its issue is blocked on GitHub, and names every open blocker", async () => {
  const rig = await blockedRig([2, 3]);
  rig.repository.blockedElsewhere.set(1, [
    { repository: "acme/lib", number: 4, state: "open" },
    { repository: "acme/lib", number: 5, state: "closed" },
  ]);
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("CREATED");
  const reason = "blocked by #2, #3, acme/lib#4";
  const change = "it starts when the blocker is closed";
  expect(await decisionsOn(rig)).toEqual([{ rule: "open_blocker", reason, change }]);
  expect(statusComments(rig).join()).toContain("blocked by #2, #3, acme/lib#4");
  expect(rig.runtime.running.size).toBe(0);
});

it("starts by itself when the last of them is closed, and not before", async () => {
  const rig = await blockedRig([2, 3]);
  await tell(rig, labeled(rig, 1));
  await tell(rig, closed(rig, 3));
  expect(await stateOf(rig)).toBe("CREATED");
  await tell(rig, closed(rig, 2));
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "COMPLETED"]);
});

it("stays held by a blocker that was closed and is opened again", async () => {
  const rig = await blockedRig([2, 3]);
  await tell(rig, labeled(rig, 1));
  await tell(rig, closed(rig, 2));
  await tell(rig, reopened(rig, 2));
  await tell(rig, closed(rig, 3));
  expect(await stateOf(rig)).toBe("CREATED");
  expect(statusComments(rig).join()).toContain("blocked by #2");
});

it("starts within reconcile_every when nobody told that the blocker was closed", async () => {
  const rig = await blockedRig();
  await tell(rig, labeled(rig, 1));
  await rig.pass(5 * MINUTE);
  closed(rig, 2);
  await rig.pass(5 * MINUTE - 1);
  expect(await stateOf(rig)).toBe("CREATED");
  await rig.pass(1);
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("asks GitHub once in each reconcile_every, however often the start is offered", async () => {
  const rig = await blockedRig();
  await tell(rig, labeled(rig, 1));
  await rig.pass(5 * MINUTE);
  let asked = 0;
  rig.onCall = (name) => void (asked += name === "github.blockedBy" ? 1 : 0);
  for (let second = 0; second < 60; second += 1) await rig.pass(1000);
  expect(asked).toBe(0);
  await rig.pass(5 * MINUTE);
  expect(asked).toBe(1);
});

it("waits for GitHub's word where it cannot be had, and starts once it is there", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  rig.github.failNext("blockedBy", unavailable, "before");
  rig.github.failNext("blockedBy", unavailable, "before");
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("CREATED");
  expect(await decisionsOn(rig)).toMatchObject([{ rule: "blockers_unread" }]);
  await rig.pass(5 * MINUTE);
  expect(await historyOf(rig)).toContain("ACTIVE");
});

it("starts on a server that keeps no dependencies", async () => {
  const rig = await blockedRig();
  const unsupported = new GitHubError("unsupported", "no such API", 404, { consequence: "stop" });
  rig.github.failNext("blockedBy", unsupported, "before");
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("is offered again when a blocker in another repository is closed", async () => {
  const rig = await blockedRig([]);
  const lib = { id: 8, owner: "acme", name: "lib", installationId: 5 };
  rig.repository.blockedElsewhere.set(1, [{ repository: "Acme/Lib", number: 4, state: "open" }]);
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("CREATED");
  rig.repository.blockedElsewhere.set(1, [{ repository: "Acme/Lib", number: 4, state: "closed" }]);
  const event = closed(rig, 2);
  const repository = { ...event.repository, ...lib };
  await tell(rig, { ...event, repository, issue: { ...event.issue, number: 4 } });
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("holds a later attempt that the operator asks for, too", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  await rig.engine.handle(labeled(rig, 1));
  await tell(rig, unlabeled(rig, 1, "feature"));
  expect(await stateOf(rig)).toBe("CANCELLED");
  rig.repository.blockedBy.set(1, new Set([2]));
  const act = { agent: "acme/shop:feat-dev-issue-1", id: "op-1", by: "operator:root", reason: null };
  const next = await rig.engine.operations.revive(act);
  await rig.idle();
  expect(await stateOf(rig, next.name)).toBe("CREATED");
  expect(statusComments(rig).join()).toContain("blocked by #2");
});

it("starts once although the process ends when it has just looked at the blockers", async () => {
  const rig = await blockedRig();
  await tell(rig, labeled(rig, 1));
  rig.onCrashPoint = (name) => {
    if (name === "effect:look_at_blockers") rig.life.end();
  };
  const event = closed(rig, 2);
  await rig.engine.handle(event);
  await rig.until("the process is gone", () => rig.life.over);
  rig.onCrashPoint = () => {};
  await rig.restart();
  await rig.idle();
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "COMPLETED"]);
});

it("is held by a blocker that is added while it waits for another, and let go when it is taken off", async () => {
  const rig = await blockedRig([2]);
  await tell(rig, labeled(rig, 1));
  rig.repository.blockedBy.set(1, new Set([3]));
  await tell(rig, blockerChanged(rig, 1, 3, { added: true }));
  expect(await stateOf(rig)).toBe("CREATED");
  expect(statusComments(rig).join()).toContain("blocked by #3");
  rig.repository.blockedBy.delete(1);
  await tell(rig, blockerChanged(rig, 1, 3, { added: false }));
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("wakes a sleeper whose blocker a person takes off", async () => {
  const rig = await aRig({
    script: [on(1, blocked(2), after("#2, which blocked you", edit()), ...work.slice(1))],
  });
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("SLEEPING");
  await tell(rig, blockerChanged(rig, 1, 2, { added: false }));
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(toldTo(rig)[1]).toContain("#2, which blocked you, was taken off as a blocker by @alice.");
});
