import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LEDGER_KEYS, type LedgerKey, ledger, ledgerTotal } from "../../../src/domain/reporting/ledger.ts";
import type { LedgerAgent, LedgerRows } from "../../../src/domain/reporting/postings.ts";
import { awakePeriods } from "../../../src/domain/reporting/postings.ts";
import { someRows } from "../ledger/some-rows.ts";

const DAY = 86_400_000;
const HOUR = 3_600_000;
const span = { from: 0, to: 5 * DAY, names: new Map([[7, "acme/app"]]) };

const coder: LedgerAgent = {
  id: 1,
  repositoryId: 7,
  issue: 42,
  name: "feat-dev-issue-42",
  role: "feat-dev",
  runtime: "claude",
  coder: true,
  createdAt: 0,
  activeSince: null,
};
const reviewer: LedgerAgent = { ...coder, id: 2, name: "reviewer-issue-42", role: "reviewer", coder: false };
const call = { day: 0, model: "small", inputTokens: 10, cachedTokens: 4, outputTokens: 5, costMicroUsd: 100 };
const empty: LedgerRows = { agents: [coder, reviewer], usage: [], awake: [], ended: [], touches: [] };
const lines = (rows: Partial<LedgerRows>, by: LedgerKey) => ledger({ ...empty, ...rows }, by, span);
const touch = (at: number, issue = 42) =>
  ({ repositoryId: 7, issue, kind: "comment", key: "k", at }) as const;

describe("the ledger", () => {
  it("sums tokens and cost by whatever is asked for", () => {
    const usage = [
      { ...call, agentId: 1 },
      { ...call, agentId: 1, model: "large", day: 1, costMicroUsd: 900 },
      { ...call, agentId: 2 },
    ];
    const sums = (by: LedgerKey) =>
      lines({ usage }, by).map(({ key, runs, costMicroUsd }) => [key, runs, costMicroUsd]);
    expect(sums("role")).toEqual([
      ["feat-dev", 1, 1000],
      ["reviewer", 1, 100],
    ]);
    expect(sums("model")).toEqual([
      ["large", 1, 900],
      ["small", 2, 200],
    ]);
    expect(sums("day")).toEqual([
      ["1970-01-01", 2, 200],
      ["1970-01-02", 1, 900],
    ]);
    expect(sums("issue")).toEqual([["acme/app#42", 2, 1100]]);
    expect(sums("repository")).toEqual([["acme/app", 2, 1100]]);
    expect(sums("run").map(([key]) => key)).toEqual([
      "acme/app:feat-dev-issue-42",
      "acme/app:reviewer-issue-42",
    ]);
    expect(lines({ usage: usage.slice(0, 1) }, "role")).toMatchObject([
      { tokensIn: 10, tokensCached: 4, tokensOut: 5 },
    ]);
  });

  it("adds up to the same, whatever it is summed by", () => {
    fc.assert(
      fc.property(someRows, (rows) => {
        const [first, ...rest] = LEDGER_KEYS.map((by) => {
          const { runs: _, ...total } = ledgerTotal(ledger(rows, by, span));
          return total;
        });
        for (const other of rest) expect(other).toEqual(first);
        expect(first?.costMicroUsd).toBe(rows.usage.reduce((sum, each) => sum + each.costMicroUsd, 0));
        expect((first?.touches ?? 0) + (first?.reverted ?? 0)).toBe(rows.touches.length);
      }),
    );
  });

  it("counts an agent once in each line that it worked for", () => {
    fc.assert(
      fc.property(someRows, (rows) => {
        const runs = ledger(rows, "run", span).filter((line) => line.runs > 0);
        const worked = new Set([
          ...rows.usage.map(({ agentId }) => agentId),
          ...awakePeriods(rows.agents, rows.awake, span).map(({ agent }) => agent.id),
        ]);
        expect(runs).toHaveLength(worked.size);
        expect(ledgerTotal(runs).runs).toBe(worked.size);
      }),
    );
  });

  it("counts what was merged, and what was finished, for the coder that held it last", () => {
    const task = { repositoryId: 7, issue: 42, coderId: 1, merged: true, at: DAY + 1 };
    const ended = [task, { ...task, merged: false }, { ...task, coderId: null }];
    expect(lines({ ended }, "role")).toMatchObject([{ key: "feat-dev", runs: 0, merged: 1, finished: 2 }]);
    expect(lines({ ended }, "day")).toMatchObject([{ key: "1970-01-02" }]);
  });

  it("gives a touch to the coder of that time, else to the issue's agent of that time, else to its first", () => {
    const later = { ...coder, createdAt: HOUR };
    const agents = [reviewer, later];
    const roles = (at: number, of: readonly LedgerAgent[] = agents, issue = 42) =>
      lines({ agents: of, touches: [touch(at, issue)] }, "role").map(({ key }) => key);
    expect(roles(2 * HOUR)).toEqual(["feat-dev"]);
    expect(roles(1)).toEqual(["reviewer"]);
    expect(roles(1, [later])).toEqual(["feat-dev"]);
    expect(roles(1, agents, 43)).toEqual(["none"]);
    expect(lines({ touches: [touch(1, 43)] }, "run")).toMatchObject([{ key: "none", touches: 1 }]);
  });

  it("gives what is not a model call to the model that the agent spent most on, or most tokens", () => {
    const touches = [touch(1)];
    const of = (usage: LedgerRows["usage"]) =>
      lines({ usage, touches }, "model").find((line) => line.touches === 1)?.key;
    const large = { ...call, agentId: 1, model: "large" };
    expect(of([])).toBe("none");
    expect(
      of([
        { ...call, agentId: 1 },
        { ...large, costMicroUsd: 101 },
      ]),
    ).toBe("large");
    expect(
      of([
        { ...large, costMicroUsd: 101 },
        { ...call, agentId: 1 },
      ]),
    ).toBe("large");
    expect(
      of([
        { ...call, agentId: 1 },
        { ...large, outputTokens: 6 },
      ]),
    ).toBe("large");
    expect(of([large, { ...call, agentId: 1 }])).toBe("large");
  });

  it("leaves out the usage of an agent that it is not told of, and names an unknown repository by its id", () => {
    expect(lines({ agents: [], usage: [{ ...call, agentId: 1 }] }, "day")).toEqual([]);
    const elsewhere = { ...coder, repositoryId: 9 };
    expect(lines({ agents: [elsewhere], usage: [{ ...call, agentId: 1 }] }, "repository")).toMatchObject([
      { key: "9" },
    ]);
  });

  it("counts what was reverted apart from what people had to do", () => {
    const touches = [touch(1), { ...touch(2), kind: "revert" as const }];
    expect(lines({ touches }, "role")).toMatchObject([{ key: "feat-dev", touches: 1, reverted: 1 }]);
  });

  it("puts equally dear lines in the order of their names", () => {
    const usage = [
      { ...call, agentId: 2 },
      { ...call, agentId: 1 },
    ];
    expect(lines({ usage }, "role").map(({ key }) => key)).toEqual(["feat-dev", "reviewer"]);
    expect(lines({ usage: usage.toReversed() }, "role").map(({ key }) => key)).toEqual([
      "feat-dev",
      "reviewer",
    ]);
  });
});

const move = (at: number, begins: boolean) => ({ agentId: 1, at, begins });
const walls = (rows: Partial<LedgerRows>) =>
  lines(rows, "day").map(({ key, wallMs }) => [key.slice(-2), wallMs / HOUR]);

describe("the time that agents were awake", () => {
  it("is counted on the day when it was, cut at midnight", () => {
    expect(walls({ awake: [move(22 * HOUR, true), move(50 * HOUR, false)] })).toEqual([
      ["01", 2],
      ["02", 24],
      ["03", 2],
    ]);
  });

  it("begins with the span where it began before, and continues to its end where it still continues", () => {
    expect(walls({ awake: [move(3 * HOUR, false)] })).toEqual([["01", 3]]);
    const active = { ...coder, activeSince: 5 * DAY - HOUR };
    expect(walls({ agents: [active], awake: [move(5 * DAY - HOUR, true)] })).toEqual([["05", 1]]);
    expect(walls({ agents: [{ ...coder, activeSince: -DAY }] })).toHaveLength(5);
  });

  it("is none for a period without length, and for one that began after the rows of its agent were read", () => {
    expect(walls({ awake: [move(HOUR, true), move(HOUR, false)] })).toEqual([]);
    expect(walls({ awake: [move(HOUR, true)] })).toEqual([]);
  });
});
