import { expect, it } from "vitest";
import { GitHubError, LostClaim } from "../../../src/domain/kernel/errors.ts";
import { CLAIM } from "../../factories/leases.ts";
import { newDelivery } from "../../webhooks/memory-inbox.ts";
import { commentsOn, decisionsOn, stateOf } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";

/** Another process on the same database, by whose clock all leases are over. */
const OTHER = { token: "other", node: "other" };
const NEVER = Number.MAX_SAFE_INTEGER;

/** Takes over the effects and deliveries that are under way, before the engine can lease them again. */
async function takeOver({ store }: Rig): Promise<void> {
  await store.transaction(async ({ effects, deliveries }) => {
    await effects.reclaim({ nodes: [OTHER.node], now: NEVER, lagsUntil: 0 });
    await deliveries.reclaim({ nodes: [OTHER.node], now: NEVER });
    await effects.lease({ ...OTHER, now: NEVER, leaseMs: () => 0, limit: 99 });
    await deliveries.claim({ ...OTHER, now: NEVER, leaseMs: 0, limit: 99 });
  });
}

const dropped = ({ logged }: Rig) =>
  logged.filter(({ message }) => message === "effect leased by another meanwhile: this outcome is dropped");

/** A rig whose first comment is taken over by the other while GitHub is asked. */
async function takenOver(fails: boolean): Promise<Rig> {
  const rig = await aRig();
  const put = rig.github.putComment.bind(rig.github);
  rig.github.putComment = async (...given) => {
    rig.github.putComment = put;
    const made = fails ? undefined : await put(...given);
    await takeOver(rig);
    if (made !== undefined) return made;
    throw new GitHubError("unavailable", "502", 502, { consequence: "retry" });
  };
  await tell(rig, said(rig, 1, "/flotilla why"));
  return rig;
}

it("drops the outcome of an effect that another has leased, and the other finds what was written", async () => {
  const rig = await takenOver(false);
  expect(dropped(rig)).toHaveLength(1);
  expect(commentsOn(rig)).toHaveLength(1);
  const [effect] = await rig.store.effects.find({ state: "leased" });
  expect(effect).toMatchObject({ attempts: 0, uncertain: true, result: null });
  const again = { notBefore: 0, error: "ended", uncertain: true, lagsUntil: 0, countAttempt: false };
  expect(await rig.store.effects.retry(effect?.id ?? 0, OTHER.token, again)).toBe(true);
  await rig.engine.tick();
  await rig.idle();
  expect(await rig.store.effects.get(effect?.id ?? 0)).toMatchObject({ state: "done" });
  expect(commentsOn(rig)).toHaveLength(1);
});

it("does not give back an effect that another has leased", async () => {
  const rig = await takenOver(true);
  expect(dropped(rig)).toHaveLength(1);
  expect(await rig.store.effects.find({ state: "leased" })).toMatchObject([{ attempts: 0, error: null }]);
});

it("moves no agent for an effect that another has leased", async () => {
  const rig = await aRig();
  rig.runtime.open = async () => {
    await takeOver(rig);
    throw new Error("no process");
  };
  await tell(rig, labeled(rig, 1));
  expect(dropped(rig)).not.toHaveLength(0);
  expect(await stateOf(rig)).toBe("ACTIVE");
  expect(await decisionsOn(rig)).toEqual([]);
});

it("writes nothing of a delivery that another has claimed", async () => {
  const rig = await aRig();
  await rig.store.deliveries.insert(["a", "b"].map((guid) => newDelivery(guid, { lane: guid })));
  await rig.store.deliveries.claim({ ...CLAIM, now: rig.clock.now(), limit: 2 });
  await takeOver(rig);
  const event = labeled(rig, 1, { delivery: "a" });
  await expect(rig.engine.handle(event, CLAIM.token)).rejects.toThrow(LostClaim);
  await expect(rig.engine.ignore("b", "not for us", CLAIM.token)).rejects.toThrow(LostClaim);
  await rig.idle();
  expect(await rig.store.records.find("agent", {})).toEqual([]);
  expect(await rig.store.effects.find({})).toEqual([]);
  for (const guid of ["a", "b"]) {
    expect(await rig.store.deliveries.get(guid)).toMatchObject({ state: "claimed", note: null });
    expect(await rig.store.replayInputs.get(guid)).toBeUndefined();
  }
  await rig.engine.handle(event, OTHER.token);
  expect(await rig.store.deliveries.get("a")).toMatchObject({ state: "done" });
});

it("decides nothing about a whole repository for a delivery that another has claimed", async () => {
  const rig = await aRig();
  await rig.store.deliveries.insert([newDelivery("a")]);
  await rig.store.deliveries.claim({ ...CLAIM, now: rig.clock.now(), limit: 1 });
  await takeOver(rig);
  const { repository, at, actor } = labeled(rig, 1);
  const event = {
    type: "repository_changed",
    delivery: "a",
    at,
    actor,
    repository,
    change: "archived",
    was: null,
  } as const;
  await expect(rig.engine.handle(event, CLAIM.token)).rejects.toThrow(LostClaim);
  expect(await rig.store.decisions.ofIssue(7, 0, 9)).toEqual([]);
  await rig.engine.handle(event, OTHER.token);
  expect(await rig.store.deliveries.get("a")).toMatchObject({ state: "done" });
});
