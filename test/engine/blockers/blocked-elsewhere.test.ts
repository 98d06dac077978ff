import { expect, it } from "vitest";
import { findSleepersCircle } from "../../../src/engine/agents/waiting-circle.ts";
import { aDomainEvent, aPerson, aRepository } from "../../factories/an-occurrence.ts";
import { MINUTE } from "../../factories/moment.ts";
import { addIssue, close, type FakeRepository, person } from "../../fakes/github-world.ts";
import { agentOf, answersTo, commentsOn, historyOf, stateOf, statusComments, toldTo } from "../look.ts";
import { labeled, tell } from "../people.ts";
import { aRig, type Rig, type RigOptions } from "../rig.ts";
import { after, call, edit, escalate, on, type Step, work } from "../scripts.ts";

const LIB = aRepository({ id: 8, name: "lib" });
const blockedOn = (issue: string): Step =>
  call("report_blocked", { blocker_issue: issue, reason: "needs its API" });
const waits: RigOptions = {
  issues: 1,
  script: [on(1, blockedOn("acme/lib#1"), after("acme/lib#1, which blocked you", edit()), ...work.slice(1))],
};

/** Beside `acme/shop` stands `acme/lib` with two issues, and Flotilla has heard of it. */
async function withLib(options: RigOptions): Promise<{ rig: Rig; lib: FakeRepository }> {
  const rig = await aRig(options);
  const lib = rig.github.add(LIB);
  lib.permissions.set("alice", "write");
  for (const title of ["API", "Docs"]) addIssue(lib, { title, author: person("alice") });
  for (const repository of [LIB, aRepository()]) await rig.store.repositories.put(repository);
  return { rig, lib };
}

const inLib = (rig: Rig, lib: FakeRepository, number: number) => {
  const issue = lib.issues.get(number);
  if (issue === undefined) throw new Error(`there is no issue ${number}`);
  rig.deliveries += 1;
  return {
    delivery: `d-${rig.deliveries}`,
    at: rig.clock.now(),
    repository: LIB,
    issue: { ...issue },
    actor: aPerson("alice"),
  };
};

it("sleeps for an issue of another repository, says so on both sides, and wakes when it is closed", async () => {
  const { rig, lib } = await withLib(waits);
  await tell(rig, labeled(rig, 1));
  expect(await agentOf(rig)).toMatchObject({
    state: "SLEEPING",
    sleepReason: "blocked",
    blockedBy: [],
    blockedElsewhere: [{ repositoryId: 8, repository: "acme/lib", number: 1 }],
  });
  expect(commentsOn(rig).join()).toContain("is blocked by acme/lib#1");
  expect(statusComments(rig).at(-1)).toContain("waits for acme/lib#1 to be closed");
  expect(await rig.github.blockedBy(LIB, 2)).toEqual([]);
  expect(rig.repository.blockedElsewhere.get(1)).toMatchObject([{ repository: "acme/lib", number: 1 }]);
  close(lib, 1);
  await tell(rig, aDomainEvent("issue_closed", inLib(rig, lib, 1)));
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "SLEEPING", "ACTIVE", "COMPLETED"]);
  expect(toldTo(rig)[1]).toContain("acme/lib#1, which blocked you, was closed.");
});

it.each([
  ["closed", "was closed"],
  ["gone", "was deleted, moved, or put where"],
])("finds within reconcile_every that it is %s when no webhook came", async (what, words) => {
  const { rig, lib } = await withLib(waits);
  await tell(rig, labeled(rig, 1));
  await rig.pass(5 * MINUTE);
  expect(await stateOf(rig)).toBe("SLEEPING");
  if (what === "closed") close(lib, 1);
  else lib.issues.delete(1);
  rig.repository.blockedElsewhere.delete(1);
  await rig.pass(5 * MINUTE);
  await rig.idle();
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(toldTo(rig)[1]).toContain(`acme/lib#1, which blocked you, ${words}`);
});

it.each([
  ["of a repository that it does not know", "acme/other#1"],
  ["of one that the configuration does not list", "elsewhere/lib#1"],
  ["that does not exist", "acme/lib#77"],
])("refuses an issue %s, and says what it takes", async (_, issue) => {
  const { rig } = await withLib({ issues: 1, script: [on(1, blockedOn(issue), ...work)] });
  await rig.store.repositories.put({ ...LIB, id: 9, owner: "elsewhere" });
  await tell(rig, labeled(rig, 1));
  expect(answersTo(rig)[0]).toContain(`${issue} is no issue that Flotilla can see`);
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("takes its own repository's full name for its own, and refuses what is closed elsewhere", async () => {
  const { rig, lib } = await withLib({
    issues: 2,
    script: [on(1, blockedOn("acme/lib#2"), blockedOn("Acme/Shop#2"))],
  });
  close(lib, 2);
  await tell(rig, labeled(rig, 1));
  expect(answersTo(rig)[0]).toContain("acme/lib#2 is already closed");
  expect(await agentOf(rig)).toMatchObject({ blockedBy: [2], blockedElsewhere: [] });
});

it("refuses to close a circle through another repository, and shows it", async () => {
  const { rig, lib } = await withLib({
    issues: 1,
    script: [
      { match: "Work on issue #1 of acme/lib", steps: [blockedOn("acme/shop#1")] },
      on(1, blockedOn("acme/lib#1"), escalate),
    ],
  });
  await tell(rig, aDomainEvent("issue_labeled", inLib(rig, lib, 1)));
  const [first] = await rig.store.records.find("agent", { repositoryId: LIB.id });
  expect(first).toMatchObject({
    state: "SLEEPING",
    blockedElsewhere: [{ number: 1, repository: "acme/shop" }],
  });
  if (first === undefined) throw new Error("nobody sleeps");
  // What the transaction of the sleep looks at once more: an agent of our issue that GitHub was asked for before.
  const ours = { ...first, id: 99, repositoryId: 7, issue: 1 };
  const there = { repositoryId: LIB.id, number: 1 };
  expect(await findSleepersCircle(rig.store, ours, there)).toEqual(["#1", "acme/lib#1", "#1"]);
  expect(await findSleepersCircle(rig.store, { ...ours, issue: 2 }, there)).toBeNull();
  await tell(rig, labeled(rig, 1));
  expect(answersTo(rig).join()).toContain("#1 → acme/lib#1 → #1");
  const [second] = await rig.store.records.find("agent", { repositoryId: 7 });
  expect(second?.state).toBe("ESCALATED");
});
