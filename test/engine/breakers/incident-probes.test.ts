import { expect, it } from "vitest";
import type { ExchangeEnd } from "../../../src/domain/ports/agent-runtime.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { limitsOf } from "../limits-of.ts";
import { agentOf, stateOf } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, type Rig, type RigOptions } from "../rig.ts";
import { blocked, edit, escalate, on, slowly, work } from "../scripts.ts";

const round = async (rig: Rig, ms: number) => {
  rig.clock.advance(ms);
  await rig.engine.tick();
  await rig.idle();
};

const incidents = (rig: Rig) => rig.store.incidents.list();

/** The agents of the first three issues lose their processes as soon as these have been asked something. */
async function dying(options: RigOptions = {}): Promise<{ rig: Rig; fix: () => void }> {
  const rig = await aRig({
    issues: 6,
    script: [1, 2, 3, 4, 5, 6].map((issue) => on(issue, ...work, edit())),
    ...options,
  });
  const open = methodOf(rig.runtime, "open");
  let broken = true;
  const died: ExchangeEnd = { kind: "runtime_died", detail: "it was killed" };
  rig.runtime.open = async (spec) => {
    const session = await open(spec);
    return broken ? { ...session, exchange: () => Promise.resolve(died) } : session;
  };
  return { rig, fix: () => void (broken = false) };
}

it("does not take what each agent asked a person for itself for an incident", async () => {
  const rig = await aRig({ issues: 3, script: [1, 2, 3].map((issue) => on(issue, escalate)) });
  for (const issue of [1, 2, 3]) await tell(rig, labeled(rig, issue));
  await round(rig, 1000);
  expect(await stateOf(rig, "feat-dev-issue-3")).toBe("ESCALATED");
  expect(await incidents(rig)).toEqual([]);
});

it("does not take a limit that each agent reached for an incident", async () => {
  const rig = await aRig({
    issues: 5,
    settings: limitsOf({ maxActiveDurationMs: MINUTE }),
    script: [1, 2, 3, 4, 5].map((issue) => on(issue, slowly(HOUR, edit()))),
  });
  for (const issue of [1, 2, 3, 4, 5]) await rig.engine.handle(labeled(rig, issue));
  await rig.until("they think", () => rig.runtime.requests.length === 5);
  await rig.work(MINUTE);
  await rig.idle();
  await round(rig, 1000);
  // Some by their own deadline, some by the watchdog, which words it in another way.
  expect(await rig.store.records.find("agent", { state: "FAILED" })).toHaveLength(5);
  expect(await incidents(rig)).toEqual([]);
});

it("takes a key that the provider refuses to all for an incident", async () => {
  const rig = await aRig({
    issues: 3,
    script: [1, 2, 3].map((issue) => on(issue, { error: { status: 401, message: "no such key" } })),
  });
  for (const issue of [1, 2, 3]) await tell(rig, labeled(rig, issue));
  await round(rig, 1000);
  expect(await incidents(rig)).toMatchObject([{ state: "open", scope: "repository:7" }]);
});

it("lets one that waited for its next try continue as the probe, and takes the same death for a failed one", async () => {
  const { rig } = await dying();
  for (const issue of [1, 2, 3]) await tell(rig, labeled(rig, issue));
  await round(rig, 1000);
  expect(await incidents(rig)).toMatchObject([{ state: "open", failedProbes: 0 }]);
  await round(rig, 5 * MINUTE);
  await round(rig, 1000);
  await round(rig, 1000);
  expect(await incidents(rig)).toMatchObject([{ state: "open", failedProbes: 1, probeAgentId: null }]);
  expect((await agentOf(rig)).token).toBe(2);
  expect((await agentOf(rig, "feat-dev-issue-2")).token).toBe(1);
});

it("forgets what became of the probe before it was one", async () => {
  const { rig, fix } = await dying();
  for (const issue of [1, 2, 3]) await tell(rig, labeled(rig, issue));
  await round(rig, 1000);
  fix();
  await round(rig, 5 * MINUTE);
  await round(rig, 1000);
  await round(rig, 1000);
  expect(await incidents(rig)).toMatchObject([{ state: "closed", failedProbes: 0 }]);
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("sends no probe that a person holds, nor one that waits for something else", async () => {
  const waits = on(4, blocked(6));
  const { rig, fix } = await dying({
    script: [waits, ...[1, 2, 3, 5, 6].map((issue) => on(issue, ...work, edit()))],
  });
  fix();
  await tell(rig, labeled(rig, 4));
  expect(await stateOf(rig, "feat-dev-issue-4")).toBe("SLEEPING");
  const open = methodOf(rig.runtime, "open");
  rig.runtime.open = async (spec) => ({
    ...(await open(spec)),
    exchange: () => Promise.resolve({ kind: "runtime_died", detail: "it was killed" }),
  });
  for (const issue of [1, 2, 3]) await tell(rig, labeled(rig, issue));
  await round(rig, 1000);
  for (const issue of [1, 2]) await tell(rig, said(rig, issue, "/flotilla pause"));
  await round(rig, 5 * MINUTE);
  const third = await agentOf(rig, "feat-dev-issue-3");
  expect(await incidents(rig)).toMatchObject([{ state: "open" }]);
  await round(rig, 1000);
  expect((await agentOf(rig, "feat-dev-issue-3")).token).toBe(2);
  expect(third.heldBy).toEqual([]);
  for (const name of ["feat-dev-issue-1", "feat-dev-issue-2", "feat-dev-issue-4"])
    expect((await agentOf(rig, name)).token).toBe(1);
});

it("keeps the pause while another incident of the same scope is open", async () => {
  const { rig, fix } = await dying();
  for (const issue of [1, 2, 3]) await tell(rig, labeled(rig, issue));
  await round(rig, 1000);
  const [first] = await incidents(rig);
  if (first === undefined) throw new Error("there is no incident");
  const { id: _, ...fields } = first;
  const paused = await rig.store.scopePauses.list();
  await rig.store.incidents.add({ ...fields, fingerprint: "another", probeAt: rig.clock.now() + 9 * HOUR });
  fix();
  await round(rig, 5 * MINUTE);
  await round(rig, 1000);
  await round(rig, 1000);
  expect((await incidents(rig)).map(({ state }) => state)).toEqual(["closed", "open"]);
  expect(paused).toMatchObject([{ holder: "incident" }]);
  // Not lifted and set again: nobody slips through between.
  expect(await rig.store.scopePauses.list()).toEqual(paused);
});
