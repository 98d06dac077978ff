import * as fc from "fast-check";
import { expect, it } from "vitest";
import { dayOf } from "../../../src/domain/breakers/day-budget.ts";
import { microUsd } from "../../../src/domain/breakers/money.ts";
import { aRole } from "../../factories/a-role.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { LIMITS, rolesOf, someSettings } from "../../factories/some-settings.ts";
import { evaluatorRole, isEvaluator, submits } from "../evaluating.ts";
import { methodOf } from "../method-of.ts";
import { ON_POSTGRES, turn } from "../on-postgres.ts";
import { labeled, said } from "../people.ts";
import { createRig, REPOSITORY, type Rig } from "../rig.ts";
import { edit, on, slowly, work } from "../scripts.ts";

/** The examples are among them. On a server each takes some ten times as long. */
const PLANS = ON_POSTGRES ? 4 : 8;
const ISSUES = [1, 2, 3, 4, 5, 6];
const SLOTS = 4;
/** What the dearest call comes to, at $2 in and $8 out a million: 128,000 tokens and 32,768. */
const DEAREST = { tokens: 160_768, microUsd: 128_000 * 2 + 32_768 * 8 };

const tenths = (max: number) => fc.integer({ min: 1, max }).map((count) => count / 10);

const plan = fc.record({
  /** In calls of the dearest kind; the limits of one agent and of the repository's day. */
  own: tenths(40),
  tokens: tenths(60),
  day: tenths(80),
  /** Claims are shown to an evaluator, whose calls are as large. */
  evaluator: fc.boolean(),
  /** How large each call is, as a share of the dearest. */
  shares: fc.array(tenths(10), { minLength: 5, maxLength: 30 }),
  /** Minutes that the turns of each issue's agent take. */
  delays: fc.array(fc.integer({ min: 0, max: 1 }), { minLength: ISSUES.length, maxLength: ISSUES.length }),
  acts: fc.array(
    fc.record({
      name: fc.constantFrom("minutes", "minutes", "restart", "resume", "pause", "raise"),
      issue: fc.constantFrom(...ISSUES),
    }),
    { maxLength: 6 },
  ),
});
type Plan = typeof plan extends fc.Arbitrary<infer P> ? P : never;

/** Enough for all slots to be at work at the same time. */
const ROOMY: Plan = {
  own: 4,
  tokens: 6,
  day: 8,
  evaluator: false,
  shares: [0.1],
  delays: ISSUES.map(() => 1),
  acts: [{ name: "minutes", issue: 1 }],
};

/** Enough for its work and one of the two calls of its evaluator. */
const TIGHT: Plan = { ...ROOMY, own: 0.7, evaluator: true };

/** The incident of a spent budget pauses an agent whose tool is just reading its news. */
const PAUSED_AT_NEWS: Plan = {
  own: 3.9,
  tokens: 5.9,
  day: 5.5,
  evaluator: true,
  shares: [0.1, 0.1, 0.9, 0.2, 0.4, 0.7],
  delays: [0, 1, 1, 1, 1, 1],
  acts: [
    { name: "minutes", issue: 3 },
    { name: "minutes", issue: 4 },
  ],
};

/** What a call's prompt holds beyond the conversation before it: the host's words, and what the tools answered. */
const ADDED_TOKENS = 4_000;

/** Every model call uses as much as the plan says next; its prompt is no longer than the conversation so far. */
function spending(rig: Rig, shares: readonly number[]): void {
  const open = methodOf(rig.runtime, "open");
  let call = 0;
  rig.runtime.open = (spec) => {
    let longest = 128_000;
    return open({
      ...spec,
      onEvent: (event) => {
        if (event.type !== "usage") return spec.onEvent(event);
        const share = shares[call % shares.length] ?? 0;
        call += 1;
        const inputTokens = Math.min(Math.round(128_000 * share), longest);
        const outputTokens = Math.round(32_768 * share);
        longest = inputTokens + outputTokens + ADDED_TOKENS;
        spec.onEvent({ ...event, inputTokens, outputTokens });
      },
    });
  };
}

function rigOf({ own, tokens, day, delays, evaluator }: Plan): Promise<Rig> {
  const { runtime } = someSettings();
  const dollarsFor = (calls: number) => (calls * DEAREST.microUsd) / 1_000_000;
  const prices = new Map([["gpt-4.1", { input: microUsd(2), cached: microUsd(0.5), output: microUsd(8) }]]);
  return createRig({
    issues: ISSUES.length,
    settings: {
      roles: evaluator ? rolesOf(aRole(), evaluatorRole) : rolesOf(aRole()),
      runtime: { ...runtime, prices, maxConcurrentAgents: SLOTS },
      repositoryPerDay: { maxCostUsd: dollarsFor(day), maxAgents: 50 },
      limits: {
        turnCeiling: 200,
        defaults: {
          ...LIMITS,
          maxCostUsd: dollarsFor(own),
          maxTokens: Math.round(tokens * DEAREST.tokens),
          maxActiveDurationMs: 1000 * HOUR,
        },
        roles: new Map(),
      },
    },
    script: [
      ...ISSUES.map((issue, index) => {
        const slow = slowly((delays[index] ?? 0) * MINUTE, edit());
        return on(issue, slow, slow, slow, ...work.slice(1));
      }),
      { match: "says that it has done issue", steps: [{ call: [{ tool: "view" }] }, submits(0.9)] },
    ],
  });
}

/** Time passes in small steps, and what follows from each comes to its end. */
async function passes(rig: Rig, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    rig.clock.advance(MINUTE);
    await rig.engine.tick();
    for (let turns = 0; turns < 20; turns += 1) await turn();
  }
}

async function act(rig: Rig, { name, issue }: Plan["acts"][number]): Promise<void> {
  if (name === "minutes") await passes(rig, 3);
  if (name === "restart") await rig.restart();
  if (name === "resume" || name === "pause") await rig.engine.handle(said(rig, issue, `/flotilla ${name}`));
  if (name === "raise") await rig.engine.handle(said(rig, issue, "/flotilla budget +$0.1"));
}

/** Agents with a process; an evaluator works in the slot of its coder. */
function atWork(rig: Rig): number {
  return [...rig.runtime.running].filter((id) => !isEvaluator(id)).length;
}

/** Slots are held by the agents at work and by those whose process is still being stopped, and by nobody else. */
async function slots(rig: Rig): Promise<void> {
  const held = await rig.store.transaction(async ({ records, effects }) => {
    const active = await records.find("agent", { state: "ACTIVE" });
    const stops = await effects.find({ kind: "close_session", state: ["pending", "leased"] });
    const holders = new Set([...active.map(({ id }) => id), ...stops.map(({ agentId }) => agentId)]);
    return { holders: holders.size, inUse: await records.slotsInUse() };
  });
  expect(held.inUse).toBe(held.holders);
  expect(atWork(rig)).toBeLessThanOrEqual(SLOTS);
}

it("spends on a day and with an agent at most one model call more than is allowed, whatever happens", async () => {
  let most = 0;
  let evaluators = 0;
  await fc.assert(
    fc.asyncProperty(plan, async (given) => {
      const rig = await rigOf(given);
      // Ten minutes before the day turns.
      rig.clock.advance(70 * MINUTE);
      spending(rig, given.shares);
      const onCall = (): void => {
        most = Math.max(most, atWork(rig));
      };
      rig.onCall = onCall;
      for (const issue of ISSUES) await rig.engine.handle(labeled(rig, issue));
      for (const one of given.acts) {
        await act(rig, one);
        await slots(rig);
      }
      await passes(rig, 6);
      await slots(rig);
      const raises = given.acts.filter(({ name }) => name === "raise").length;
      const allowed = given.day * DEAREST.microUsd + raises * 100_000;
      const spent = await rig.store.budget.spent(REPOSITORY.id, dayOf(rig.clock.now()));
      expect(spent).toBeLessThanOrEqual(allowed + DEAREST.microUsd);
      for (const agent of await rig.store.records.find("agent", {})) {
        const extra = given.own * DEAREST.microUsd + agent.extraCostMicroUsd;
        expect(agent.costMicroUsd).toBeLessThanOrEqual(extra + DEAREST.microUsd + 1);
        const tokens = given.tokens * DEAREST.tokens + agent.extraTokens;
        expect(agent.tokens).toBeLessThanOrEqual(tokens + DEAREST.tokens + 1);
      }
      evaluators += rig.runtime.opened.filter(({ sessionId }) => isEvaluator(sessionId)).length;
      await rig.close();
    }),
    { numRuns: PLANS, endOnFailure: true, examples: [[ROOMY], [TIGHT], [PAUSED_AT_NEWS]] },
  );
  // The agents did work at the same time.
  expect(most).toBe(SLOTS);
  expect(evaluators).toBeGreaterThan(0);
});
