import { describe, expect, it } from "vitest";
import { reportOf } from "../../../src/domain/reporting/report.ts";
import { reportText } from "../../../src/domain/reporting/report-text.ts";
import { type SeenIssue, wouldDo } from "../../../src/domain/reporting/would-do.ts";
import { aRole, ROLES } from "../../factories/a-role.ts";
import { anIssue, aPerson } from "../../factories/an-occurrence.ts";
import { anAgent } from "../../factories/records.ts";
import { LIMITS, rolesOf, someSettings } from "../../factories/some-settings.ts";

const repository = {
  id: 7,
  owner: "acme",
  name: "shop",
  installationId: 5,
  private: true,
  defaultBranch: "main",
};
const limits = {
  turnCeiling: 200,
  defaults: { ...LIMITS, maxCostUsd: 20 },
  roles: new Map([["feat-dev", { maxTurns: 30 }]]),
};
const settings = someSettings({ roles: rolesOf(...ROLES), limits, level: "comment" });

const put = (label: string, permitted = true, own = false) => ({
  label,
  by: aPerson("alice"),
  permitted,
  own,
});
const seen = (
  number: number,
  labels: SeenIssue["labels"],
  more: Partial<SeenIssue["issue"]> = {},
): SeenIssue => ({
  issue: anIssue({ number, labels: labels.map(({ label }) => label), title: `Issue ${number}`, ...more }),
  authorPermitted: true,
  labels,
});
const roles = (one: SeenIssue) =>
  wouldDo(settings, repository, one).starts.map(({ role, cause }) => `${role} by ${cause}`);

describe("what would be done on an issue", () => {
  it("is the start of the role of each of its labels, with the limits of that role", () => {
    const { starts, not } = wouldDo(settings, repository, seen(1, [put("feature"), put("later")]));
    expect(starts.filter(({ cause }) => cause === "feature")).toMatchObject([
      { role: "feat-dev", limits: { maxTurns: 30, maxCostUsd: 20 } },
    ]);
    expect(not).toEqual([]);
  });

  it("is the same for an issue that is closed by now", () => {
    expect(roles(seen(1, [put("feature")], { state: "closed" }))).toContain("feat-dev by feature");
  });

  it("is nothing where who put the label may not steer, and says so", () => {
    const { starts, not } = wouldDo(settings, repository, seen(1, [put("feature", false)]));
    expect(starts.filter(({ cause }) => cause === "feature")).toEqual([]);
    expect(not).toEqual(["@alice may label but has no write permission"]);
  });

  it("is nothing where it is assigned to a person, and says so", () => {
    const one = seen(1, [put("feature")], { assignees: [aPerson("bob")] });
    expect(wouldDo(settings, repository, one).not).toContain("the issue is assigned to @bob");
  });

  it("says why nothing starts where no label has a role, and takes no label of ours for one", () => {
    const nobody = { ...settings, roles: rolesOf(aRole()) };
    const of = (label: string) => wouldDo(nobody, repository, seen(1, [put(label, true, true)]));
    expect(of("later").not).toEqual(["no role starts when an issue is opened"]);
    expect(of("flotilla:merged")).toEqual(of("later"));
  });

  it("is the start of the role of its opening", () => {
    expect(roles(seen(1, []))).toEqual(["triage by opened"]);
    expect(wouldDo(settings, repository, { ...seen(1, []), authorPermitted: false })).toEqual({
      starts: [],
      not: ["@alice has no write permission here"],
    });
  });
});

describe("a report", () => {
  const one = {
    ...settings,
    roles: rolesOf(aRole()),
    levels: { repositories: {}, labels: { careful: "observe" } },
  } as const;
  const agent = {
    id: 11,
    repositoryId: 7,
    issue: 3,
    name: "feat-dev-issue-3",
    role: "feat-dev",
    runtime: "copilot",
    coder: true,
    createdAt: 0,
  };
  const rows = {
    agents: [{ ...agent, activeSince: null }],
    usage: [
      {
        agentId: 11,
        model: "m",
        day: 0,
        inputTokens: 9,
        cachedTokens: 0,
        outputTokens: 1,
        costMicroUsd: 1_250_000,
      },
    ],
    awake: [
      { agentId: 11, at: 0, begins: true },
      { agentId: 11, at: 65_000, begins: false },
    ],
    ended: [],
    touches: [{ repositoryId: 7, issue: 3, kind: "review", key: "r", at: 5 }],
  } as const;
  const agents = [anAgent({ ...agent, state: "COMPLETED", prNumber: 4, reason: "Built\nand tested." })];
  const known = { agents, rows, now: 100_000, file: { state: "none" } } as const;
  const report = reportOf(one, repository, {
    ...known,
    seen: [
      seen(12, [put("careful")], { title: "A\u202e title\u001b[31m" }),
      seen(3, [put("feature")], { state: "closed" }),
    ],
  });

  it("tells what would start and what was done, issue by issue", () => {
    expect(report.lines).toMatchObject([
      { issue: 12, level: "observe", starts: [], did: [], costMicroUsd: 0, awakeMs: 0, touches: 0 },
      { issue: 3, level: "comment", state: "closed", costMicroUsd: 1_250_000, awakeMs: 65_000, touches: 1 },
    ]);
  });

  it("sums it up", () => {
    expect(report.totals).toEqual({
      issues: 2,
      would: 1,
      roles: { "feat-dev": 1 },
      mostUsd: 20,
      handled: 1,
      completed: 1,
      pulls: 1,
      costMicroUsd: 1_250_000,
      awakeMs: 65_000,
      touches: 1,
    });
  });

  it("reads as lines of a terminal, into which no title can write its own", () => {
    expect(reportText(report)).toEqual([
      "acme/shop: the last 2 issues, as they stand now; closed ones are taken as open",
      "",
      "#12  A title[31m  [careful]  (open, by @alice, level observe)",
      "     would start nobody: no role starts when an issue is opened",
      " #3  Issue 3  [feature]  (closed, by @alice, level comment)",
      "     would start feat-dev by the label feature, with at most 30 turns, 2 h, $20.00",
      "     did: feat-dev-issue-3 is COMPLETED, pull request #4: Built and tested.",
      "     used: $1.25, 1 min awake, 1 touches by people",
      "",
      "Would start on 1 of 2 issues: feat-dev 1; at most $20.00",
      "Did work on 1: 1 completed, 1 pull requests, $1.25, 1 min awake, 1 touches by people",
    ]);
  });

  it("says by which content of the repository's own file it was decided", () => {
    const file = { state: "in_force", blob: "1a2b3c4d5e" } as const;
    const said = reportOf(one, repository, { ...known, agents: [], seen: [], file });
    expect(said.file).toEqual(file);
    expect(reportText(said)[1]).toBe(".github/flotilla.yml applies, blob 1a2b3c4.");
  });

  it("says where nothing bounds the cost, what stands against more, and what it is where nothing is known", () => {
    const free = { ...settings, limits: { turnCeiling: 200, defaults: LIMITS, roles: new Map() } };
    const text = reportText(
      reportOf(free, repository, { ...known, agents: [], seen: [seen(12, [put("bug", false)])] }),
    );
    expect(text.join("\n")).toContain("would start triage when opened, with at most 50 turns, 2 h\n");
    expect(text.join("\n")).toContain("and not more: @alice may label but has no write permission");
    expect(text.join("\n")).toContain("triage 1; without a limit of cost");
    expect(
      reportText(reportOf(free, repository, { ...known, agents: [anAgent({ issue: 9 })], seen: [] })),
    ).toHaveLength(4);
  });

  it("tells of an agent without an end that it is at work", () => {
    const working = [anAgent({ issue: 12, state: "ACTIVE", reason: null, prNumber: null, name: "x" })];
    const said = reportOf(one, repository, { ...known, agents: working, seen: [seen(12, [])] });
    expect(reportText(said)).toContain("     did: x is ACTIVE");
    expect(said.totals).toMatchObject({ handled: 1, completed: 0, pulls: 0 });
  });
});
