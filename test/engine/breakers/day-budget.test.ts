import { describe, expect, it } from "vitest";
import { microUsd } from "../../../src/domain/breakers/money.ts";
import { MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { agentOf, commentsOn, decisionsOn, historyOf, stateOf, statusComments } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, REPOSITORY, type Rig } from "../rig.ts";
import { edit, on, slowly, work } from "../scripts.ts";

/** What one call of the fake model costs at these prices, in micro-dollars. */
const CALL = 100 * 2 + 10 * 8;
const runtime = {
  ...someSettings().runtime,
  prices: new Map([["gpt-4.1", { input: microUsd(2), cached: microUsd(0.5), output: microUsd(8) }]]),
};
const perDay = (calls: number, maxAgents = 50) => ({
  runtime,
  repositoryPerDay: { maxCostUsd: (calls * CALL) / 1_000_000, maxAgents },
});
const second = "feat-dev-issue-2";
/** The clock of the tests begins at 22:40. */
const TO_MIDNIGHT = 80 * MINUTE;

const spent = async (rig: Rig) => {
  const agents = await rig.store.records.find("agent", {});
  return agents.reduce((sum, agent) => sum + agent.costMicroUsd, 0);
};

describe("a repository's cost of a day", () => {
  it("lets the second agent wait while the first could spend the rest, with one decision", async () => {
    const script = [on(1, slowly(MINUTE, edit()), ...work.slice(1)), on(2, ...work)];
    const rig = await aRig({ settings: perDay(100), script });
    await rig.engine.handle(labeled(rig, 1));
    await rig.engine.handle(labeled(rig, 2));
    for (let round = 0; round < 3; round += 1) await rig.engine.tick();
    expect(await stateOf(rig, second)).toBe("CREATED");
    expect(await decisionsOn(rig, 2)).toEqual(["budget"]);
    const day = async () => (await rig.engine.operations.dayBudgets([REPOSITORY.id])).get(REPOSITORY.id);
    expect((await day())?.reserved).toBeGreaterThan(100 * CALL);
    await rig.until("the first talks", () => rig.runtime.requests.length === 1);
    rig.clock.advance(MINUTE);
    await rig.idle();
    expect(await day()).toEqual({ allowed: 100 * CALL, reserved: 0 });
    expect(await stateOf(rig, second)).toBe("COMPLETED");
  });

  it("lets work that stays below it come to its end, and the report of the call that reaches it", async () => {
    const rig = await aRig({ settings: perDay(4), script: [on(1, ...work)] });
    await tell(rig, labeled(rig, 1));
    expect(await stateOf(rig)).toBe("COMPLETED");
    expect(await spent(rig)).toBe(4 * CALL);
  });

  it("puts an agent to sleep at the call past it, and refuses starts, until the day turns", async () => {
    const rig = await aRig({ settings: perDay(3), script: [on(1, ...work), on(2, ...work.slice(3))] });
    await tell(rig, labeled(rig, 1), labeled(rig, 2));
    expect(await agentOf(rig)).toMatchObject({
      state: "SLEEPING",
      sleepReason: "retry",
      turns: 3,
      restarts: 0,
    });
    expect(await stateOf(rig, second)).toBe("CREATED");
    expect(await spent(rig)).toBe(3 * CALL);
    await rig.pass(5 * MINUTE);
    await rig.pass(TO_MIDNIGHT - 5 * MINUTE - 1);
    expect(await stateOf(rig)).toBe("SLEEPING");
    expect(await decisionsOn(rig, 1)).toEqual(["budget"]);
    expect(statusComments(rig, 1).join()).toContain(
      "no budget left: the repository's budget for today ($0.00) is spent or reserved",
    );
    expect(await spent(rig)).toBe(3 * CALL);
    await rig.pass(1);
    expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "SLEEPING", "ACTIVE", "COMPLETED"]);
    expect(await agentOf(rig)).toMatchObject({ wakes: 0, breaker: null });
  });

  it("is the same after a restart of the host", async () => {
    const rig = await aRig({ settings: perDay(4), script: [on(1, ...work), on(2, ...work)] });
    await tell(rig, labeled(rig, 1));
    await rig.restart();
    await tell(rig, labeled(rig, 2));
    expect(await stateOf(rig, second)).toBe("CREATED");
    await rig.pass(TO_MIDNIGHT);
    expect(await agentOf(rig, second)).toMatchObject({ state: "COMPLETED" });
  });

  it("is raised by a person for today", async () => {
    const rig = await aRig({ settings: perDay(4), script: [on(1, ...work), on(2, ...work)] });
    await tell(rig, labeled(rig, 1), labeled(rig, 2));
    expect(await stateOf(rig, second)).toBe("CREATED");
    await tell(rig, said(rig, 2, "/flotilla budget +$0.001120", { by: "eve" }));
    expect(await stateOf(rig, second)).toBe("CREATED");
    await tell(rig, said(rig, 2, "/flotilla budget +$0.001120"));
    expect(await stateOf(rig, second)).toBe("COMPLETED");
    expect(await decisionsOn(rig, 2)).toContain("day_raised");
    await rig.restart();
    await tell(rig, labeled(rig, 3));
    expect(await stateOf(rig, "feat-dev-issue-3")).toBe("CREATED");
    expect(commentsOn(rig, 2).join()).not.toContain("no amount");
  });

  it("is raised by nothing that cannot be counted, and the repository continues", async () => {
    const rig = await aRig({ settings: perDay(4), script: [on(1, ...work), on(2, ...work)] });
    await tell(rig, labeled(rig, 1), labeled(rig, 2));
    const words = `/flotilla budget ${"+1000000000000 ".repeat(9)}today`;
    await tell(rig, said(rig, 2, words), said(rig, 2, words));
    expect(await decisionsOn(rig, 2)).toContain("budget_unreadable");
    expect(await stateOf(rig, second)).toBe("CREATED");
    await tell(rig, said(rig, 2, "/flotilla budget +$0.001120"));
    expect(await stateOf(rig, second)).toBe("COMPLETED");
  });

  it("counts nothing where the limit is off", async () => {
    const settings = { runtime, repositoryPerDay: { maxCostUsd: undefined, maxAgents: 50 } };
    const rig = await aRig({ settings, script: [on(1, ...work), on(2, ...work)] });
    await tell(rig, labeled(rig, 1), labeled(rig, 2));
    expect(await stateOf(rig, second)).toBe("COMPLETED");
  });
});

const agents = (maxAgents: number) => ({ repositoryPerDay: { maxCostUsd: undefined, maxAgents } });

describe("a repository's agents of a day", () => {
  const script = [on(1, ...work), on(2, ...work), on(3, ...work)];

  it("lets as many start as are allowed, and the next when the day turns", async () => {
    const rig = await aRig({ settings: agents(2), script });
    await tell(rig, labeled(rig, 1), labeled(rig, 2), labeled(rig, 3));
    expect(await stateOf(rig, second)).toBe("COMPLETED");
    expect(await stateOf(rig, "feat-dev-issue-3")).toBe("CREATED");
    expect(await decisionsOn(rig, 3)).toEqual(["budget"]);
    await rig.pass(TO_MIDNIGHT - 1);
    expect(await stateOf(rig, "feat-dev-issue-3")).toBe("CREATED");
    await rig.pass(1);
    expect(await stateOf(rig, "feat-dev-issue-3")).toBe("COMPLETED");
  });

  it("is raised by a person", async () => {
    const rig = await aRig({ settings: agents(1), script });
    await tell(rig, labeled(rig, 1), labeled(rig, 2), labeled(rig, 3));
    await tell(rig, said(rig, 2, "/flotilla budget +1"));
    expect(await stateOf(rig, second)).toBe("COMPLETED");
    expect(await stateOf(rig, "feat-dev-issue-3")).toBe("CREATED");
  });

  it("does not count wakes", async () => {
    const rig = await aRig({
      settings: agents(1),
      script: [on(1, slowly(2 * MINUTE, edit()), ...work.slice(1))],
    });
    await rig.engine.handle(labeled(rig, 1));
    await rig.until("it talks", () => rig.runtime.requests.length === 1);
    await rig.restart();
    rig.clock.advance(MINUTE);
    await rig.until("it talks again", () => rig.runtime.requests.length === 2);
    rig.clock.advance(2 * MINUTE);
    await rig.idle();
    expect(await stateOf(rig)).toBe("COMPLETED");
  });
});
