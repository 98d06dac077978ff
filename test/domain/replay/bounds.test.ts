import { expect, it } from "vitest";
import { levelMet, limitsMet } from "../../../src/domain/replay/bounds.ts";
import { anAgent } from "../../factories/records.ts";
import { LIMITS } from "../../factories/some-settings.ts";

const AGENT = anAgent({
  name: "feat-dev-issue-1",
  turns: 12,
  toolCalls: 30,
  tokens: 5000,
  costMicroUsd: 2_000_000,
  activeMs: 600_000,
});

it("names each limit that the agent went past and that held it before", () => {
  const other = {
    ...LIMITS,
    maxTurns: 11,
    maxToolCalls: 29,
    maxTokens: 4999,
    maxCostUsd: 1,
    maxActiveDurationMs: 300_000,
  };
  const met = limitsMet(AGENT, { present: LIMITS, other });
  expect(met.map(({ recorded, again }) => `${recorded}; ${again}`)).toEqual([
    "feat-dev-issue-1 used 12 turns; feat-dev-issue-1 is stopped at 11 turns",
    "feat-dev-issue-1 used 30 tool calls; feat-dev-issue-1 is stopped at 29 tool calls",
    "feat-dev-issue-1 used 5000 tokens; feat-dev-issue-1 is stopped at 4999 tokens",
    "feat-dev-issue-1 used $2.00; feat-dev-issue-1 is stopped at $1.00",
    "feat-dev-issue-1 used 10 minutes awake; feat-dev-issue-1 is stopped at 5 minutes awake",
  ]);
});

it("names one whose present limit was reached to the last unit", () => {
  const present = { ...LIMITS, maxTurns: 12 };
  expect(limitsMet(AGENT, { present, other: { ...present, maxTurns: 11 } })).toHaveLength(1);
});

it("names none that is just reached, was granted, or was passed by the present limits too", () => {
  expect(limitsMet(AGENT, { present: LIMITS, other: { ...LIMITS, maxTurns: 12 } })).toEqual([]);
  const granted = { ...AGENT, extraTurns: 2 };
  expect(limitsMet(granted, { present: LIMITS, other: { ...LIMITS, maxTurns: 10 } })).toEqual([]);
  const tight = { ...LIMITS, maxTurns: 11 };
  expect(limitsMet(AGENT, { present: tight, other: { ...tight, maxTurns: 10 } })).toEqual([]);
});

it("names what a level lets out otherwise, each kind once", () => {
  const done = ["open_pr", "status_comment", "status_comment", "open_session"] as const;
  expect(levelMet(done, { present: "pr", other: "pr" })).toEqual([]);
  expect(levelMet(done, { present: "pr", other: "draft" })).toEqual([
    { what: "level", recorded: "1 × open_pr was done at pr", again: "it is done as a draft at draft" },
  ]);
  expect(levelMet(done, { present: "pr", other: "observe" }).map(({ recorded }) => recorded)).toEqual([
    "1 × open_pr was done at pr",
    "2 × status_comment was done at pr",
  ]);
});
