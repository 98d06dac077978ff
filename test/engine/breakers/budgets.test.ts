import { expect, it } from "vitest";
import { microUsd } from "../../../src/domain/breakers/money.ts";
import { insertAgent } from "../../adapters/store/samples.ts";
import { MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { limitsOf } from "../limits-of.ts";
import { agentOf, decisionsOn, stateOf, statusComments } from "../look.ts";
import { labeled, tell } from "../people.ts";
import { aRig, REPOSITORY, type Rig } from "../rig.ts";
import { on, work } from "../scripts.ts";

/** What one call of the fake model costs at these prices, in micro-dollars. */
const CALL = 100 * 2 + 10 * 8;
const runtime = {
  ...someSettings().runtime,
  prices: new Map([["gpt-4.1", { input: microUsd(2), cached: microUsd(0.5), output: microUsd(8) }]]),
};
const DAY = 24 * 60 * MINUTE;
const OFF = { repositoryPerMonth: undefined, installationPerDay: undefined, installationPerMonth: undefined };

const budget = (name: keyof typeof OFF, calls: number) => ({
  runtime,
  budgets: { ...OFF, [name]: (calls * CALL) / 1_000_000 },
});

/** Adds what another repository spent at a moment. */
async function spentElsewhere(
  rig: Rig,
  at: number,
  calls: number,
  installationId = REPOSITORY.installationId,
) {
  const other = { ...REPOSITORY, id: 8, name: "other", installationId, private: true, defaultBranch: "main" };
  await rig.store.repositories.put(other);
  const ended = { state: "COMPLETED", repositoryId: 8, issue: 1, name: "other-1" } as const;
  const { id: agentId } = await insertAgent(rig.store, ended);
  const use = { model: "m", inputTokens: 1, outputTokens: 1, cachedTokens: 0, costMicroUsd: calls * CALL };
  await rig.store.usage.add({ ...use, agentId, at });
}

it.each(["repositoryPerMonth", "installationPerDay", "installationPerMonth"] as const)(
  "%s puts an agent to sleep at the call past it, over a restart, until the period turns",
  async (name) => {
    const settings = { ...budget(name, 3), ...limitsOf({ maxSleepDurationMs: 40 * DAY }) };
    const rig = await aRig({ settings, script: [on(1, ...work)] });
    await tell(rig, labeled(rig, 1));
    expect(await agentOf(rig)).toMatchObject({
      state: "SLEEPING",
      sleepReason: "retry",
      costMicroUsd: 3 * CALL,
    });
    await rig.restart();
    await rig.pass(5 * MINUTE);
    expect(await stateOf(rig)).toBe("SLEEPING");
    expect(await decisionsOn(rig, 1)).toEqual(["budget"]);
    expect(statusComments(rig, 1).join()).toContain("is spent or reserved");
    expect(statusComments(rig, 1).join()).toContain("the operator can raise `circuit_breakers.budgets.");
    await rig.pass(name === "installationPerDay" ? DAY : 31 * DAY);
    expect(await stateOf(rig)).toBe("COMPLETED");
  },
);

it.each([
  ["counts in the installation's budget", "installationPerMonth", REPOSITORY.installationId, "CREATED"],
  ["counts for no other installation", "installationPerMonth", 99, "COMPLETED"],
  ["counts in no budget of one repository", "repositoryPerMonth", REPOSITORY.installationId, "COMPLETED"],
] as const)("what another repository spent %s", async (_, name, installationId, state) => {
  const rig = await aRig({ settings: budget(name, 10), script: [on(1, ...work)] });
  await spentElsewhere(rig, rig.clock.now(), 10, installationId);
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe(state);
});
