import { describe, expect, it } from "vitest";
import { microUsd } from "../../../src/domain/breakers/money.ts";
import { LARGEST } from "../../../src/domain/commands/extension.ts";
import { MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { limitsOf } from "../limits-of.ts";
import { agentOf, answersTo, commentsOn, runOf, stateOf, toldTo } from "../look.ts";
import { closed, labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, blocked, edit, escalate, on, say, slowly, work } from "../scripts.ts";

const edits = (count: number) => Array.from({ length: count }, (_, index) => edit(`file-${index}.ts`));
/** What one call of the fake model uses, and costs at these prices. */
const CALL = { tokens: 110, microUsd: 100 * 2 + 10 * 8 };
const priced = {
  runtime: {
    ...someSettings().runtime,
    prices: new Map([["gpt-4.1", { input: microUsd(2), cached: microUsd(0.5), output: microUsd(8) }]]),
  },
};
const dollarsFor = (calls: number) => (calls * CALL.microUsd) / 1_000_000;

const granted = async (rig: Rig) => {
  const moves = await rig.store.transitions.ofAgent((await agentOf(rig)).id);
  return moves.flatMap(({ machine, event, actor, evidence }) =>
    machine === "agent" && evidence !== null ? [{ event, actor, evidence }] : [],
  );
};

describe.each([
  ["max_tokens", (calls: number) => limitsOf({ maxTokens: calls * CALL.tokens })],
  ["max_cost_usd", (calls: number) => ({ ...priced, ...limitsOf({ maxCostUsd: dollarsFor(calls) }) })],
] as const)("the limit %s", (limit, at) => {
  it("lets a work that stays below it come to its end", async () => {
    const rig = await aRig({ settings: at(5), script: [on(1, ...work)] });
    await tell(rig, labeled(rig, 1));
    expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", turns: 4, breaker: null });
  });

  it("lets the report of the call that reaches it count", async () => {
    const rig = await aRig({ settings: at(4), script: [on(1, ...work)] });
    await tell(rig, labeled(rig, 1));
    expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", turns: 4 });
  });

  it("denies the next call when it is reached, gives one answer to wrap up, then asks a person", async () => {
    const rig = await aRig({ settings: at(3), script: [on(1, ...edits(9), say("What now?"))] });
    await tell(rig, labeled(rig, 1));
    const agent = await agentOf(rig);
    expect(agent).toMatchObject({ state: "ESCALATED", breaker: limit, category: "limit" });
    expect(agent).toMatchObject({ turns: 3, toolCalls: 2, tokens: 4 * CALL.tokens });
    expect(answersTo(rig).join()).toContain(`the limit ${limit} is reached`);
    expect(toldTo(rig)[1]).toContain(`You have reached the limit ${limit}`);
    expect(toldTo(rig)).toHaveLength(2);
    expect(commentsOn(rig).join()).toContain(limit);
    expect((await runOf(rig))?.state).toBe("failed");
  });

  it("lets no call out past it, whatever the runtime says of its turns, and reckons with prompts under way", async () => {
    const rig = await aRig({ settings: at(2), script: [on(1, slowly(MINUTE, say("Hm.")))] });
    await rig.engine.handle(labeled(rig, 1));
    await rig.engine.tick();
    await rig.until("it talks", () => rig.runtime.requests.length === 1);
    const [session] = rig.runtime.opened;
    const refusal = `the limit ${limit} is reached`;
    const call = { inputTokens: 100, outputTokens: 10, cachedTokens: 0 } as const;
    expect([session?.mayCallModel(0), session?.mayCallModel(1000)]).toEqual([null, refusal]);
    session?.onEvent({ type: "usage", model: "gpt-4.1", ...call, answered: false });
    expect(session?.mayCallModel(0)).toBeNull();
    session?.onEvent({ type: "usage", model: "gpt-4.1", ...call, answered: true });
    expect(session?.mayCallModel(0)).toBe(refusal);
  });

  it("honours the report that wraps up", async () => {
    const script = [on(1, ...edits(3), after("reached the limit", escalate))];
    const rig = await aRig({ settings: at(3), script });
    await tell(rig, labeled(rig, 1));
    expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", category: "decision", breaker: null });
  });

  it("counts over sleeps, and before the first call of a wake", async () => {
    const script = [on(1, blocked(2), after("which blocked you", edit()), ...edits(9))];
    const rig = await aRig({ settings: at(1), script });
    await tell(rig, labeled(rig, 1));
    await tell(rig, closed(rig, 2));
    expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", breaker: limit, turns: 1 });
  });

  it("is raised by a person in its own unit, and the transition says by how much and by whom", async () => {
    const script = [on(1, ...edits(3), say("…"), after("You are awake again", edit()), ...edits(9))];
    const rig = await aRig({ settings: at(3), script });
    await tell(rig, labeled(rig, 1));
    const more = limit === "max_tokens" ? `+${2 * CALL.tokens}` : `+$${dollarsFor(2).toFixed(6)}`;
    await tell(rig, said(rig, 1, `/flotilla budget ${more}`));
    expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", breaker: limit, turns: 4, extensions: 0 });
    const unit = limit === "max_tokens" ? "tokens" : "costMicroUsd";
    const amount = 2 * (limit === "max_tokens" ? CALL.tokens : CALL.microUsd);
    const given = {
      event: "RESUME",
      actor: "alice",
      evidence: { granted: { [unit]: amount }, by: ["alice"] },
    };
    expect(await granted(rig)).toEqual([given]);
  });

  it("is raised by half when a person only lets it continue, twice at most", async () => {
    const talks = ["You are awake again", "You are awake again", "You are awake again"];
    const script = [on(1, ...edits(4), say("…"), ...talks.map((words) => after(words, edit())), ...edits(9))];
    const rig = await aRig({ settings: at(4), script });
    await tell(rig, labeled(rig, 1));
    for (let time = 1; time <= 3; time += 1) await tell(rig, said(rig, 1, "/flotilla resume"));
    const agent = await agentOf(rig);
    expect(agent).toMatchObject({ state: "ESCALATED", breaker: limit, extensions: 2 });
    expect((await granted(rig)).map(({ event }) => event)).toEqual(["RESUME", "RESUME"]);
  });

  it("warns the model and the log once, and again only when it was raised", async () => {
    const rig = await aRig({ settings: at(10), script: [on(1, ...edits(8), edit("last.ts"), ...work)] });
    await tell(rig, labeled(rig, 1));
    const warnings = rig.logged.filter(({ message }) => message.includes("near a limit"));
    expect(warnings).toHaveLength(1);
    expect((await agentOf(rig)).warned).toHaveLength(1);
  });
});

it("writes each call down with its tokens and cost, and the sums are those of the agent", async () => {
  const rig = await aRig({
    settings: { ...priced, ...limitsOf({ maxCostUsd: 20 }) },
    script: [on(1, ...work)],
  });
  await tell(rig, labeled(rig, 1));
  const { tokens, costMicroUsd } = await agentOf(rig);
  expect({ tokens, costMicroUsd }).toEqual({ tokens: 4 * CALL.tokens, costMicroUsd: 4 * CALL.microUsd });
});

it("lets a wrap-up after max_tool_calls not run past a limit of spending", async () => {
  const limits = limitsOf({ maxToolCalls: 1, maxTokens: 3 * CALL.tokens });
  const script = [on(1, ...edits(2), after("reached the limit", edit()), ...edits(9))];
  const rig = await aRig({ settings: limits, script });
  await tell(rig, labeled(rig, 1));
  expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", breaker: "max_tool_calls" });
  expect((await agentOf(rig)).tokens).toBeLessThanOrEqual(3 * CALL.tokens);
});

it("raises the working time with a resume, and stops at the raised limit", async () => {
  const rig = await aRig({
    settings: limitsOf({ maxToolCalls: 1 }),
    script: [on(1, ...edits(2), say("…"), ...work)],
  });
  await tell(rig, labeled(rig, 1));
  await tell(rig, said(rig, 1, "/flotilla budget +9 calls and +30 min"));
  expect(await agentOf(rig)).toMatchObject({ extraToolCalls: 9, extraActiveMs: 1_800_000 });
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("is raised by no amount that cannot be kept, and others start and wake as before", async () => {
  const rig = await aRig({
    settings: { ...priced, ...limitsOf({ maxCostUsd: dollarsFor(3) }) },
    script: [on(1, ...edits(9), say("What now?")), on(2, edit(), escalate)],
  });
  await tell(rig, labeled(rig, 1));
  await tell(rig, said(rig, 1, "/flotilla budget +10000000000"), labeled(rig, 2));
  expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", extraCostMicroUsd: 0 });
  expect(await agentOf(rig, "feat-dev-issue-2")).toMatchObject({ state: "ESCALATED", turns: 2 });
  expect(commentsOn(rig).join()).toContain("This is more than anybody may grant at once");
});

it("is raised by no number of tokens with a point in it, and says how to write it", async () => {
  const rig = await aRig({
    settings: limitsOf({ maxTokens: 3 * CALL.tokens }),
    script: [on(1, ...edits(9), say("What now?"))],
  });
  await tell(rig, labeled(rig, 1));
  // The second refusal says the same, so it is given its reaction alone.
  for (const given of ["+1.500 tokens", "+1.5"]) await tell(rig, said(rig, 1, `/flotilla budget ${given}`));
  expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", breaker: "max_tokens", extraTokens: 0 });
  const answer =
    "Tokens are granted in whole numbers. Say how many tokens (`+500k tokens`), without a decimal point.";
  expect(commentsOn(rig).filter((body) => body.includes(answer))).toHaveLength(1);
  await tell(rig, said(rig, 1, "/flotilla budget +1.5k tokens"));
  expect(await agentOf(rig)).toMatchObject({ extraTokens: 1500 });
});

it("keeps a readable sum of grants that come while nobody may continue", async () => {
  const rig = await aRig({
    settings: { ...priced, ...limitsOf({ maxCostUsd: dollarsFor(3) }) },
    script: [on(1, ...edits(3), say("…"), after("You are awake again", escalate))],
  });
  await tell(rig, labeled(rig, 1));
  rig.disk.freeBytes = 0;
  await rig.engine.watchDisk();
  await tell(rig, said(rig, 1, "/flotilla budget +900000"), said(rig, 1, "/flotilla budget +900000"));
  rig.disk.freeBytes = 1e12;
  for (let look = 0; look < 3; look += 1) {
    rig.clock.advance(MINUTE);
    await rig.engine.watchDisk();
  }
  await rig.pass(MINUTE);
  expect(await agentOf(rig)).toMatchObject({ category: "decision", extraCostMicroUsd: LARGEST });
});
