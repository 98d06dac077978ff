import { describe, expect, it } from "vitest";
import type { LimitOverrides } from "../../../src/domain/breakers/limits.ts";
import { microUsd } from "../../../src/domain/breakers/money.ts";
import { MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { limitsOf } from "../limits-of.ts";
import { agentOf } from "../look.ts";
import { closed, labeled, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, blocked, edit, on, type Step, slowly } from "../scripts.ts";

/** Of everything that is limited, so many times what one turn of the fake model uses. */
const TURNS = 10;
const WARNED_AT = 8;
const CALL = { tokens: 110, microUsd: 100 * 2 + 10 * 8 };
const NOTE = "Note from the host: you have used";

const edits = (count: number): Step[] =>
  Array.from({ length: count }, (_, index) => edit(`file-${index}.ts`));

const settingsOf = (limits: LimitOverrides) => ({
  ...limitsOf(limits),
  runtime: {
    ...someSettings().runtime,
    prices: new Map([["gpt-4.1", { input: microUsd(2), cached: microUsd(0.5), output: microUsd(8) }]]),
  },
});

const nearIn = (rig: Rig) => rig.logged.filter(({ message }) => message === "an agent comes near a limit");
/** The first request in which the model read the warning; 1 for the first of all, 0 for none. */
const toldIn = (rig: Rig) =>
  rig.runtime.requests.findIndex((messages) => messages.some(({ content }) => content.includes(NOTE))) + 1;
const notesIn = (rig: Rig) =>
  (rig.runtime.requests.at(-1) ?? []).filter(({ content }) => content.includes(NOTE)).length;

/** An agent that takes so many turns with a call each, the last of which reports. */
async function taking(turns: number, limits: LimitOverrides): Promise<Rig> {
  const rig = await aRig({
    settings: settingsOf(limits),
    script: [on(1, ...edits(turns - 1), blocked(2), ...edits(TURNS))],
  });
  await tell(rig, labeled(rig, 1));
  return rig;
}

describe.each([
  {
    limit: "max_turns",
    limits: { maxTurns: TURNS },
    stopped: { state: "SLEEPING", sleepReason: "approval", breaker: "max_turns", turns: TURNS },
    words: "8 of 10 turns",
  },
  {
    limit: "max_tool_calls",
    limits: { maxToolCalls: TURNS },
    stopped: { state: "ESCALATED", breaker: "max_tool_calls", toolCalls: TURNS },
    words: "8 of 10 tool calls",
  },
  {
    limit: "max_tokens",
    limits: { maxTokens: TURNS * CALL.tokens },
    stopped: { state: "ESCALATED", breaker: "max_tokens", turns: TURNS },
    words: "880 of 1,100 tokens",
  },
  {
    limit: "max_cost_usd",
    limits: { maxCostUsd: (TURNS * CALL.microUsd) / 1_000_000 },
    stopped: { state: "ESCALATED", breaker: "max_cost_usd", turns: TURNS },
    words: "$0.00 of $0.00",
  },
])("at the bounds of $limit", ({ limits, stopped, words }) => {
  it("nothing happens to one that uses all of it and reports", async () => {
    const rig = await taking(TURNS, limits);
    expect(await agentOf(rig)).toMatchObject({
      state: "SLEEPING",
      sleepReason: "blocked",
      breaker: null,
      turns: TURNS,
    });
  });

  it("one that wants more is stopped", async () => {
    expect(await agentOf(await taking(TURNS + 5, limits))).toMatchObject(stopped);
  });

  it("nothing is said below 80 %", async () => {
    const rig = await taking(WARNED_AT - 1, limits);
    expect([nearIn(rig).length, toldIn(rig)]).toEqual([0, 0]);
  });

  it("at 80 % the log is warned once, and the model in its next turn", async () => {
    const rig = await taking(TURNS, limits);
    expect(nearIn(rig)).toHaveLength(1);
    expect(toldIn(rig)).toBe(WARNED_AT + 1);
    expect(notesIn(rig)).toBe(1);
    expect(JSON.stringify(rig.runtime.requests.at(-1))).toContain(words);
  });
});

/** An agent that is blocked by one issue after the other, and woken so often. */
async function waking(times: number): Promise<Rig> {
  const numbers = Array.from({ length: times + 1 }, (_, index) => index + 2);
  const [first = 2, ...others] = numbers;
  const rig = await aRig({
    issues: times + 3,
    settings: settingsOf({ maxIterations: 5 }),
    script: [
      on(
        1,
        blocked(first),
        ...others.map((number) => after(`#${number - 1}, which blocked`, blocked(number))),
      ),
    ],
  });
  await tell(rig, labeled(rig, 1));
  for (const number of numbers.slice(0, times)) await tell(rig, closed(rig, number));
  return rig;
}

describe("at the bounds of max_iterations", () => {
  it("the last wake is taken and the next one is a person's", async () => {
    expect(await agentOf(await waking(5))).toMatchObject({ state: "SLEEPING", breaker: null, wakes: 5 });
    expect(await agentOf(await waking(6))).toMatchObject({
      state: "ESCALATED",
      breaker: "max_iterations",
      wakes: 5,
    });
  });

  it("the wake that comes to 80 % is told of it, once, and none before", async () => {
    expect(toldIn(await waking(3))).toBe(0);
    const rig = await waking(5);
    expect([nearIn(rig).length, toldIn(rig), notesIn(rig)]).toEqual([1, 5, 1]);
  });
});

it("warns of max_active_duration at 80 % and not before, in the next turn", async () => {
  const rig = await aRig({
    settings: settingsOf({ maxActiveDurationMs: TURNS * 5 * MINUTE }),
    script: [on(1, ...edits(TURNS).map((step) => slowly(5 * MINUTE, step)))],
  });
  await rig.engine.handle(labeled(rig, 1));
  for (let turn = 1; turn < TURNS; turn += 1) {
    await rig.until(`turn ${turn}`, () => rig.runtime.requests.length === turn);
    await rig.work(5 * MINUTE);
    await rig.until(`turn ${turn + 1}`, () => rig.runtime.requests.length === turn + 1);
    expect(toldIn(rig)).toBe(turn < WARNED_AT ? 0 : WARNED_AT + 1);
  }
  expect(nearIn(rig)).toHaveLength(1);
  expect((await agentOf(rig)).state).toBe("ACTIVE");
});
