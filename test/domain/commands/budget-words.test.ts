import { describe, expect, it } from "vitest";
import {
  amountFault,
  commaFault,
  grantOf,
  inUnit,
  readAmounts,
} from "../../../src/domain/commands/budget-words.ts";
import { LARGEST, NO_GRANT } from "../../../src/domain/commands/extension.ts";

const ALICES = { ...NO_GRANT, by: ["alice"] };

describe("amounts of a budget", () => {
  it.each([
    ["+20", [{ value: 20, unit: null }]],
    ["20", [{ value: 20, unit: null }]],
    ["+$5", [{ value: 5_000_000, unit: "costMicroUsd" }]],
    ["+2.50$", [{ value: 2_500_000, unit: "costMicroUsd", hasPoint: true }]],
    ["3 usd", [{ value: 3_000_000, unit: "costMicroUsd" }]],
    ["+1 dollar", [{ value: 1_000_000, unit: "costMicroUsd" }]],
    ["+500k tokens", [{ value: 500_000, unit: "tokens" }]],
    ["+2M tokens", [{ value: 2_000_000, unit: "tokens" }]],
    ["+2k", [{ value: 2_000, unit: null }]],
    ["+30m", [{ value: 1_800_000, unit: "activeMs" }]],
    ["+30 min", [{ value: 1_800_000, unit: "activeMs" }]],
    ["+1.5h", [{ value: 5_400_000, unit: "activeMs", hasPoint: true }]],
    ["+1.5k tokens", [{ value: 1500, unit: "tokens" }]],
    ["+10 tool calls", [{ value: 10, unit: "toolCalls" }]],
    ["+10 calls", [{ value: 10, unit: "toolCalls" }]],
    ["+2 wakes", [{ value: 2, unit: "wakes" }]],
    ["+1 turn", [{ value: 1, unit: "turns" }]],
    [
      "+1 turn,+2 wakes, +3",
      [
        { value: 1, unit: "turns" },
        { value: 2, unit: "wakes" },
        { value: 3, unit: null },
      ],
    ],
    ["+5,", [{ value: 5, unit: null }]],
    ["+5 agents", [{ value: 5, unit: "agents" }]],
    [
      "+10 turns and +$2, +5 min",
      [
        { value: 10, unit: "turns" },
        { value: 2_000_000, unit: "costMicroUsd" },
        { value: 300_000, unit: "activeMs" },
      ],
    ],
  ])("%j is read", (text, amounts) => {
    expect(readAmounts(text)).toEqual(amounts);
  });

  it.each(["", "much", "+0", "-5", "+5 apples", "+1e9", "5 turns please", "+$"])("%j is none", (text) => {
    expect(readAmounts(text)).toBeNull();
  });
});

describe("a comma within a number", () => {
  it.each([
    ["+$2,50", "Write 2.50."],
    ["+2,50$", "Write 2.50."],
    ["+$1,500", "Write 1500."],
    ["+1,500 tokens", "Write 1500."],
    ["+1,500,000.5 tokens", "Write 1500000.5."],
    ["+10 turns, +1,500 tokens", "Write 1500."],
    ["+1,50,000 tokens", "Write numbers without commas."],
    ["+1.500,25", "Write numbers without commas."],
  ])("makes %j no amount: %s", (text, advice) => {
    expect(readAmounts(text)).toBeNull();
    expect(commaFault(text)).toBe(advice);
  });

  it("is not written again where it is longer than anybody writes", () => {
    expect(commaFault(`+${"1".repeat(60_000)},5`)).toBe("Write numbers without commas.");
  });

  it("is none where it separates", () => {
    expect(commaFault("+5 turns, +3 wakes,+1")).toBeNull();
  });
});

describe("a grant of amounts", () => {
  it("counts a bare number in the unit of the limit that fired", () => {
    expect(grantOf([{ value: 5, unit: null }], "costMicroUsd", "alice")).toEqual({
      ...ALICES,
      costMicroUsd: 5_000_000,
    });
    expect(grantOf([{ value: 5, unit: null }], "activeMs", "alice").activeMs).toBe(300_000);
    expect(grantOf([{ value: 5, unit: null }], "turns", "alice").turns).toBe(5);
  });

  it("adds up several, each in its unit, in whole numbers", () => {
    const amounts = readAmounts("+0.5 turns and +1 turn and +2 tokens") ?? [];
    expect(grantOf(amounts, null, "alice")).toEqual({ ...ALICES, turns: 2, tokens: 2 });
  });

  it("is never larger than what can be kept", () => {
    const amounts = readAmounts("+900000000000 tokens and +900000000000 tokens") ?? [];
    expect(grantOf(amounts, null, "alice").tokens).toBe(LARGEST);
  });

  it("leaves out what is no limit of an agent", () => {
    expect(grantOf([{ value: 5, unit: "agents" }], null, "alice")).toEqual(ALICES);
    expect(grantOf([{ value: 5, unit: null }], null, "alice")).toEqual(ALICES);
    expect(inUnit({ value: 5, unit: null }, "agents")).toBe(5);
  });
});

describe("amounts that are not granted", () => {
  it.each([
    ["+1000000", "costMicroUsd", null],
    ["+10000000000", "costMicroUsd", "Say how many dollars (`+$5`), 1000000 at most."],
    ["+$600000 and +600000", "costMicroUsd", "Say how many dollars (`+$5`), 1000000 at most."],
    ["+600000 h", "turns", "Say how many minutes (`+30 min`), 16666666 at most."],
    ["+1000000000000 tokens", null, null],
    ["+1000000000001 tokens", null, "Say how many tokens (`+500k tokens`), 1000000000000 at most."],
    [`+${"9".repeat(400)} agents`, null, "Say how many agents a day (`+5 agents`), 1000000000000 at most."],
    ["+0.0000001", "costMicroUsd", "Say how many dollars (`+$5`)."],
    ["+0.4 turns", null, "Say how many turns (`+20 turns`), without a decimal point."],
    ["+1.500 tokens", null, "Say how many tokens (`+500k tokens`), without a decimal point."],
    ["+2.000 tokens", null, "Say how many tokens (`+500k tokens`), without a decimal point."],
    ["+1.0005k tokens", null, "Say how many tokens (`+500k tokens`), without a decimal point."],
    ["+1.5", "turns", "Say how many turns (`+20 turns`), without a decimal point."],
    ["+1.5 agents", null, "Say how many agents a day (`+5 agents`), without a decimal point."],
    ["+1.005k tokens and +2.5M tokens", null, null],
    ["+2.50", "costMicroUsd", null],
    ["+1.5h and +0.5 min", null, null],
    ["+10000000000000", null, null],
  ] as const)("%j where %s is meant: %j", (text, fallback, advice) => {
    const fault = amountFault(readAmounts(text) ?? [], fallback);
    expect(fault?.advice ?? null).toBe(advice);
    const isWhole = fault?.reason.endsWith(" are granted in whole numbers") === true;
    expect(isWhole).toBe(advice?.endsWith("without a decimal point.") === true);
  });
});
