import { expect, it } from "vitest";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { breakable } from "../breakable.ts";
import { agentOf, stateOf } from "../look.ts";
import { closed, labeled, said, tell } from "../people.ts";
import type { Rig } from "../rig.ts";
import { blocked, edit, on, slowly, work } from "../scripts.ts";

const [first, second, third] = [1, 2, 3].map((issue) => `feat-dev-issue-${issue}`);

/** A number that no version has written. */
const spoil = (table: "agent" | "run", agentId: number) =>
  table === "agent"
    ? `UPDATE agent SET extra_tokens = 10000000000000000 WHERE id = ${agentId}`
    : `UPDATE run SET bounces = 10000000000000000 WHERE agent_id = ${agentId}`;
const fix = "UPDATE agent SET extra_tokens = 0";

/** What the operator read of rows that cannot be read. */
const told = (rig: Rig) => rig.logged.filter(({ message }) => message.startsWith("database row not read"));

it("handles the events of an issue for which an agent sleeps whose row cannot be read, and wakes the others that do", async () => {
  const script = [on(1, blocked(4)), on(2, blocked(4), ...work), on(3, blocked(1))];
  const { rig, by } = await breakable({ script, issues: 4 }, true);
  await tell(rig, labeled(rig, 1), labeled(rig, 2));
  await by(spoil("agent", 1));
  // Whoever waits for an issue is looked for at each event there; who waits for whom where another begins to wait.
  await tell(rig, labeled(rig, 4, { label: "docs" }), said(rig, 4, "Soon."), closed(rig, 4));
  expect(await stateOf(rig, second)).toBe("COMPLETED");
  await tell(rig, labeled(rig, 3));
  expect(await agentOf(rig, third)).toMatchObject({ state: "SLEEPING", sleepReason: "blocked" });
  await by(fix);
  await rig.pass(MINUTE);
});

it("starts again beside agents whose rows cannot be read, says each once, and continues with all others", async () => {
  const script = [on(1, blocked(4)), on(2, slowly(HOUR, edit())), on(3, blocked(4), ...work)];
  const { rig, by } = await breakable({ script, issues: 4 }, false);
  await tell(rig, labeled(rig, 1), labeled(rig, 3));
  await rig.engine.handle(labeled(rig, 2));
  await rig.until("it talks", () => rig.runtime.running.size === 1);
  await by(spoil("agent", 1));
  await by(spoil("agent", (await agentOf(rig, second)).id));
  // Found by the rules and not to be read.
  await by("UPDATE run SET state = 'failed' WHERE agent_id = 1");
  await rig.restart();
  expect(told(rig)).toHaveLength(2);
  await tell(rig, closed(rig, 4));
  expect(await stateOf(rig, third)).toBe("COMPLETED");
  await by(fix);
});

it("renews the leases of all others at work beside an agent whose row cannot be read", async () => {
  const script = [on(1, slowly(24 * HOUR, edit())), on(2, slowly(HOUR / 2, edit()), ...work.slice(1))];
  const { rig, by } = await breakable({ script }, true);
  await rig.engine.handle(labeled(rig, 1));
  await rig.engine.handle(labeled(rig, 2));
  await rig.until("both talk", () => rig.runtime.running.size === 2);
  await by(spoil("agent", 1));
  await rig.work(20 * MINUTE);
  const { state, leaseUntil } = await agentOf(rig, second);
  expect(state).toBe("ACTIVE");
  expect(leaseUntil).toBeGreaterThan(rig.clock.now());
  await by(fix);
});

it("lets others expire behind a sleeper whose row cannot be read, and behind one whose run cannot be read", async () => {
  const script = [1, 2, 3].map((issue) => on(issue, blocked(4)));
  const limits = someSettings().limits;
  const settings = { limits: { ...limits, defaults: { ...limits.defaults, maxSleepDurationMs: HOUR } } };
  const { rig, by } = await breakable({ script, settings, issues: 4 }, true);
  await tell(rig, labeled(rig, 1), labeled(rig, 2), labeled(rig, 3));
  await by(spoil("agent", 1));
  await by(spoil("run", (await agentOf(rig, second)).id));
  await rig.pass(HOUR);
  expect(await agentOf(rig, third)).toMatchObject({ state: "ESCALATED", category: "expired" });
  expect(await stateOf(rig, second)).toBe("SLEEPING");
  expect(told(rig).length).toBeGreaterThan(0);
  // It continues once they are fixed.
  await by(`${fix}; UPDATE run SET bounces = 0`);
  await rig.pass(MINUTE);
  expect([await stateOf(rig, first), await stateOf(rig, second)]).toEqual(["ESCALATED", "ESCALATED"]);
});

it("counts the repository's budget of the day without an agent at work whose row cannot be read", async () => {
  const settings = { repositoryPerDay: { maxCostUsd: 1000, maxAgents: 50 } };
  const script = [on(1, slowly(24 * HOUR, edit())), on(2, ...work)];
  const { rig, by } = await breakable({ script, settings }, true);
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it talks", () => rig.runtime.running.size === 1);
  await by(spoil("agent", 1));
  await rig.engine.handle(labeled(rig, 2));
  await rig.until("the other completes", async () => (await stateOf(rig, second)) === "COMPLETED");
  await by(fix);
  expect(await stateOf(rig, first)).toBe("ACTIVE");
});
