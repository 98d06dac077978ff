import { expect, it } from "vitest";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import type { NewEffect } from "../../../src/domain/kernel/rows.ts";
import { WaitsPoll } from "../../../src/engine/agents/waits-poll.ts";
import { issueEffect } from "../../../src/engine/kernel/effect-rows.ts";
import { OURS } from "../../factories/leases.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { agentOf, commentsOn, statusComments } from "../look.ts";
import { closed, labeled, said, tell } from "../people.ts";
import { aRig, REPOSITORY, type Rig } from "../rig.ts";
import { blocked, on } from "../scripts.ts";

const ROUND = 5 * MINUTE;

const looksAt = async (rig: Rig) =>
  (await rig.store.effects.find({ kind: "look_at_issue" })).map(({ issue }) => issue);

/** `count` sleepers, each on an issue of its own. */
async function sleepers(count: number): Promise<Rig> {
  const rig = await aRig({ script: [on(1, blocked(2))] });
  await tell(rig, labeled(rig, 1));
  const first = await agentOf(rig);
  await rig.store.transaction(async ({ records }) => {
    for (let issue = 1001; issue < 1001 + count; issue += 1)
      await records.insert("agent", { ...first, issue, name: `feat-dev-issue-${issue}`, branch: null });
  });
  return rig;
}

it("puts at most 200 looks into the outbox, the rest as these are done, those looked at longest ago first", async () => {
  const rig = await sleepers(450);
  // Its worker would take looks out of the outbox between two parts of a round.
  await rig.engine.stop();
  const before = (await looksAt(rig)).length;
  const poll = new WaitsPoll(rig.context);
  const added = async () => (await looksAt(rig)).slice(before);
  const done = async () => {
    for (const { id } of await rig.store.effects.lease({
      ...OURS,
      now: rig.clock.now(),
      leaseMs: () => MINUTE,
      limit: 2000,
    }))
      await rig.store.effects.settle(id, OURS.token, {
        state: "done",
        result: null,
        error: null,
        at: rig.clock.now(),
      });
  };
  rig.clock.advance(ROUND);
  await poll.round();
  await poll.round();
  expect(await added()).toHaveLength(200);
  for (let lane = 0; lane < 4; lane += 1) await done();
  await poll.round();
  expect(new Set(await added()).size).toBe(400);
  for (let lane = 0; lane < 4; lane += 1) await done();
  rig.clock.advance(ROUND);
  await poll.round();
  // The 51 that the round before did not come to are the first of this one.
  expect(new Set(await added()).size).toBe(451);
  expect(await added()).toHaveLength(600);
});

it("asks for a blocker that many wait for once in each round, and wakes all of them", async () => {
  const rig = await aRig({ issues: 4, script: [1, 3, 4].map((issue) => on(issue, blocked(2))) });
  await tell(rig, ...[1, 3, 4].map((issue) => labeled(rig, issue)));
  const asked = async () => (await rig.store.effects.find({ kind: "recheck_blocker" })).length;
  const before = await asked();
  await rig.pass(ROUND);
  expect((await asked()) - before).toBe(1);
  closed(rig, 2);
  await rig.pass(ROUND);
  expect((await asked()) - before).toBe(2);
  for (const { id } of await rig.store.records.find("agent", {}))
    expect(await rig.store.wakes.delivered(id, 5)).toMatchObject([{ reason: "blocker" }]);
});

it("forgets looks after as long as the bodies of webhooks, and whoever waits is looked after all the same", async () => {
  const rig = await aRig({ script: [on(1, blocked(2))] });
  await tell(rig, labeled(rig, 1));
  await rig.pass(ROUND);
  const looks = async () => (await rig.store.effects.find({ kind: "look_at_issue", state: "done" })).length;
  expect(await looks()).toBe(1);
  rig.clock.advance(rig.context.settings.retention.payloadsMs);
  await rig.pass(ROUND);
  expect(await looks()).toBe(1);
  const kinds = (await rig.store.effects.find({ state: "done" })).map(({ kind }) => kind);
  expect(kinds).toContain("add_blocked_by");
});

/** A look at an issue of this repository, which waits for GitHub's limits. */
const parked = (repositoryId: number, issue: number, at: number): NewEffect => ({
  ...issueEffect({ repositoryId, issue, effect: { kind: "look_at_issue" }, at }),
  key: `parked:${repositoryId}#${issue}`,
  notBefore: at + HOUR,
});

it("looks at the other issues while 200 looks wait for GitHub's limits, and adds no second look to one that waits", async () => {
  const rig = await sleepers(3);
  await rig.engine.stop();
  const poll = new WaitsPoll(rig.context);
  rig.clock.advance(ROUND);
  const at = rig.clock.now();
  const waiting = [1001, ...Array.from({ length: 200 }, (_, index) => 2001 + index)];
  await rig.store.transaction(async ({ effects }) => {
    await effects.add(waiting.map((issue) => parked(REPOSITORY.id, issue, at)));
  });
  const before = (await looksAt(rig)).length;
  await poll.round();
  await poll.round();
  expect(new Set((await looksAt(rig)).slice(before))).toEqual(new Set([1, 1002, 1003]));
});

it("looks at issues of other repositories while one has 200 looks that are due", async () => {
  const rig = await sleepers(1);
  await rig.engine.stop();
  const poll = new WaitsPoll(rig.context);
  rig.clock.advance(ROUND);
  const at = rig.clock.now();
  const [known] = await rig.store.repositories.all();
  if (known !== undefined) await rig.store.repositories.put({ ...known, id: 8, name: "other" });
  const looks = Array.from({ length: 200 }, (_, index) => ({ ...parked(8, index + 1, at), notBefore: 0 }));
  await rig.store.transaction(async ({ effects }) => void (await effects.add(looks)));
  const before = (await looksAt(rig)).length;
  await poll.round();
  expect(new Set((await looksAt(rig)).slice(before))).toEqual(new Set([1, 1001]));
});

it("answers people while a look at the issue waits for GitHub's limits", async () => {
  const rig = await aRig({ script: [on(1, blocked(2))] });
  await tell(rig, labeled(rig, 1));
  rig.onCall = (call) => {
    if (call !== "github.issue") return;
    const retryAt = rig.clock.now() + HOUR;
    throw new GitHubError("rate_limited", "kept back", 429, { consequence: "park", retryAt });
  };
  await rig.pass(ROUND);
  await rig.pass(ROUND);
  const pending = async () => (await rig.store.effects.find({ state: "pending" })).map(({ kind }) => kind);
  expect(await pending()).toContain("look_at_issue");
  const before = commentsOn(rig).length;
  await tell(rig, said(rig, 1, "/flotilla why"));
  expect(commentsOn(rig).length).toBeGreaterThan(before);
  await tell(rig, said(rig, 1, "/flotilla pause"));
  expect(statusComments(rig)[0]).toContain("paused");
  expect(await pending()).toContain("look_at_issue");
  rig.onCall = () => {};
  await rig.pass(HOUR);
  expect(await pending()).toEqual([]);
});

it("takes a look that waits for the next one, but not for one at a lost time", async () => {
  const rig = await aRig();
  const look = (key: string, lost?: { since: number; until: number }): NewEffect => ({
    ...issueEffect({
      repositoryId: REPOSITORY.id,
      issue: 1,
      effect: { kind: "look_at_issue", ...(lost && { lost }) },
      at: rig.clock.now(),
    }),
    key,
  });
  await rig.engine.stop();
  await rig.engine.handle(labeled(rig, 1));
  const [first, second] = await rig.store.effects.add([look("a"), look("b")]);
  expect(second).toBe(first);
  const [lost] = await rig.store.effects.add([look("c", { since: 1, until: 2 })]);
  expect(lost).not.toBe(first);
});
