import { describe, expect, it } from "vitest";
import { startRole } from "../../../src/domain/agents/start-role.ts";
import { revives } from "../../../src/domain/commands/steer.ts";
import { decide } from "../../../src/domain/decide.ts";
import type { ChangeSet, IssueState } from "../../../src/domain/kernel/change-set.ts";
import { chooseBase, takesWork } from "../../../src/domain/tasks/base-branch.ts";
import { aRole } from "../../factories/a-role.ts";
import { aView } from "../../factories/a-view.ts";
import { aCommand, aDomainEvent, anIssue } from "../../factories/an-occurrence.ts";
import { AT } from "../../factories/moment.ts";
import { anAgent, aTask } from "../../factories/records.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { movesOf, rulesOf, whyOf } from "../kernel/changes-as-text.ts";

const bases = [
  "release-*",
  "lts/*/fixes",
  { label: "base:stable", branch: "stable" },
  { label: "base:main", branch: "main" },
  { milestone: "Version 1", branch: "release-1" },
];
const settings = someSettings({ bases });
const view = aView({ settings });
const milestone = { number: 3, title: "version 1", dueOn: null };
const issue = (labels: readonly string[], more: object = {}) => anIssue({ labels, ...more });
const basesOf = ({ moves }: ChangeSet) =>
  moves.flatMap(({ event }) => (event.type === "OPEN" && "base" in event ? [event.base] : []));
const start = (rest: string, on: IssueState = view, labels: readonly string[] = ["feature"]) =>
  decide(aCommand("start", rest, { issue: issue(labels) }), on);

const left = (state: "DRAFT" | "UNCLAIMED", base: string | null) =>
  aView({ settings, agents: [anAgent({ state: "CANCELLED" })], task: aTask({ state, base }) });
const targetsOf = ({ moves }: ChangeSet) =>
  moves.flatMap(({ event }) => (event.type === "RETARGET" ? [event.base] : []));
const put = (label: string, on: IssueState = view) =>
  decide(aDomainEvent("issue_labeled", { label, issue: issue([label]) }), on);

describe("the base branch of new work", () => {
  it.each([
    ["of nothing", [], null, null],
    ["of its label, whatever its case", ["Base:Stable"], null, "stable"],
    ["of a label that names the default branch", ["base:main"], milestone, null],
    ["of its milestone", [], milestone, "release-1"],
    ["of its label before its milestone", ["base:stable"], milestone, "stable"],
    ["of no label that is called as a milestone", ["Version 1"], null, null],
    ["of no milestone that is called as a label", [], { ...milestone, title: "base:stable" }, null],
  ] as const)("is that %s", (_, labels, of, base) => {
    expect(chooseBase(view, { labels, milestone: of })).toEqual({ base });
  });

  it("is that of the settings where nothing else names one", () => {
    const develops = { ...view, settings: someSettings({ bases, base: "develop" }) };
    expect(chooseBase(develops, issue([]))).toEqual({ base: "develop" });
    expect(chooseBase(develops, issue(["base:stable"]))).toEqual({ base: "stable" });
    expect(chooseBase(develops, issue([]), "main")).toEqual({ base: null });
    expect(chooseBase(develops, issue([]), "develop")).toEqual({ base: "develop" });
  });

  it("is refused where two labels name two", () => {
    const changes = startRole(aRole(), view, {
      at: AT,
      actor: "alice",
      issue: issue(["base:stable", "base:main"]),
      personPull: null,
    });
    expect([movesOf(changes), rulesOf(changes)]).toEqual([[], ["base_refused"]]);
    expect(whyOf(changes)).toBe(
      "its labels name more than one base branch: `stable`, `main` / say `/flotilla start <role> on stable`, or keep one of them",
    );
  });

  it("matters to no other role", () => {
    const triage = aRole({ name: "triage", evidence: "outputs" });
    const cause = { at: AT, actor: "alice", issue: issue(["base:stable", "base:main"]), personPull: null };
    expect(rulesOf(startRole(triage, view, cause))).toEqual([]);
  });

  it.each([
    ["main", true],
    ["release-1", true],
    ["release-", true],
    ["release-1/x", false],
    ["Release-1", false],
    ["lts/2/fixes", true],
    ["lts/2/3/fixes", false],
    ["stable", true],
    ["old-release-1", false],
    // What stands for `*` goes into refs, addresses and texts.
    ["release-..", false],
    ["release-1.lock", false],
    ["release-1:main", false],
    ["release-@{-1}", false],
    ["release-^1", false],
    ["release-$(id)", false],
    ["release-`@bob`", false],
    ["release-%2e%2e", false],
    ["release-1\u202e", false],
    ["release-\u0661", false],
    ["rele\u0430se-1", false],
    ["refs/heads/release-1", false],
    [`release-${"1".repeat(200)}`, false],
  ])("may be %s: %s", (branch, may) => {
    expect(takesWork(view, branch)).toBe(may);
  });

  it.each([
    ["*", "a", true],
    ["*", "a/b", false],
    ["*-*-x", "1-2-x", true],
    ["*-*-x", "1-x", false],
    ["a*a", "a", false],
    ["a*a", "aa", true],
    ["a.c", "abc", false],
    ["*/x*", "1/x", true],
    ["*/x*", "x", false],
    // With a regular expression, it took many minutes.
    [`${"*".repeat(9)}x`, "a".repeat(70), false],
  ])("%s is the pattern of %s: %s", (pattern, branch, may) => {
    expect(takesWork({ ...view, settings: someSettings({ bases: [pattern] }) }, branch)).toBe(may);
  });
});

describe("/flotilla start … on …", () => {
  it("sends the work there, wherever it stands in the command", () => {
    expect(basesOf(start("feat-dev on release-1"))).toEqual(["release-1"]);
    expect(basesOf(start("on release-1 feat-dev tag=x"))).toEqual(["release-1"]);
    expect(basesOf(start("on lts/2/fixes"))).toEqual(["lts/2/fixes"]);
    expect(basesOf(start("feat-dev on main", view, ["base:stable"]))).toEqual([null]);
    expect(basesOf(start("feat-dev", view, ["base:stable"]))).toEqual(["stable"]);
  });

  it("says which branches there are for one that is not on the list", () => {
    const changes = start("feat-dev on trunk");
    expect([movesOf(changes), rulesOf(changes)]).toEqual([[], ["base_refused"]]);
    expect(whyOf(changes)).toBe(
      "`trunk` is not on the list of branches that work may go to: `main`, `release-*`, `lts/*/fixes`, `stable`, `release-1` / name one of these, or add it to `bases` in `.github/flotilla.yml`",
    );
  });

  it.each(["--upload-pack=x", "$(id)", "`@bob`", "..", "x".repeat(3000)])(
    "shows no markup of %#",
    (branch) => {
      const changes = start(`feat-dev on ${branch}`);
      expect([movesOf(changes), rulesOf(changes)[0]]).not.toContain("OPEN");
      expect(movesOf(changes)).toEqual([]);
      expect(whyOf(changes).length).toBeLessThan(600);
    },
  );

  it("is refused for a role that changes no code", () => {
    expect(whyOf(start("triage on release-1"))).toBe(
      "triage changes no code, so it works on no branch / say `/flotilla start triage` without `on`",
    );
  });

  it("without a branch names no role", () => {
    expect(rulesOf(start("feat-dev on"))).toEqual(["unknown_role"]);
    expect(rulesOf(start("feat-dev on tag=x"))).toEqual(["unknown_role"]);
  });

  it.each(["DRAFT", "UNCLAIMED", "CLAIMED", "REJECTED", "BLOCKED"] as const)(
    "does not move work that is %s and has a coder to another branch",
    (state) => {
      const begun = (base: string | null) =>
        aView({ settings, agents: [anAgent()], task: aTask({ state, base }) });
      const changes = start("feat-dev on release-1", begun(null));
      expect([movesOf(changes), rulesOf(changes)]).toEqual([[], ["base_refused"]]);
      expect(whyOf(changes)).toBe(
        "the work on #42 goes to `main` already / end that work (`/flotilla cancel`, or close its pull request), then say `/flotilla start <role> on release-1`",
      );
      expect(rulesOf(start("feat-dev on release-1", begun("release-1")))).not.toContain("base_refused");
      expect(rulesOf(start("feat-dev on main", begun(null)))).not.toContain("base_refused");
    },
  );
});

describe("a task that nobody works on any more", () => {
  it.each(["DRAFT", "UNCLAIMED"] as const)(
    "goes to another branch when it is started there (%s)",
    (state) => {
      const moved = start("feat-dev on release-1", left(state, null));
      expect(movesOf(moved).slice(-2)).toEqual([
        expect.stringMatching(/^task \d+ RETARGET$/),
        "agent new CREATE",
      ]);
      expect(targetsOf(moved)).toEqual(["release-1"]);
      expect(targetsOf(start("feat-dev on main", left(state, "release-1")))).toEqual([null]);
      expect(targetsOf(start("feat-dev", left(state, null), ["base:stable"]))).toEqual(["stable"]);
      expect(targetsOf(start("feat-dev on release-1", left(state, "release-1")))).toEqual([]);
    },
  );

  it("stays where it was when it is retried", () => {
    const known = { ...left("UNCLAIMED", null), newestTask: aTask({ state: "UNCLAIMED" }) };
    const cause = { at: AT, actor: "alice", issue: issue(["base:stable"]), personPull: null, why: "" };
    const again = revives(anAgent({ state: "CANCELLED" }), known, cause) ?? start("");
    expect(movesOf(again)).toEqual(["agent new REVIVE"]);
  });
});

describe("a label of a base branch", () => {
  it("starts nobody, and says where work will go", () => {
    expect(whyOf(put("base:stable"))).toContain("work that starts on #42 goes to `stable`");
    expect(rulesOf(put("base:stable"))).toEqual(["base_label"]);
  });

  it("says that it came too late", () => {
    expect(rulesOf(put("base:stable", aView({ settings, agents: [anAgent()], task: aTask() })))).toEqual([
      "base_refused",
    ]);
    const there = aView({ settings, task: aTask({ base: "stable" }) });
    expect(rulesOf(put("base:stable", there))).toEqual(["base_label"]);
  });
});

describe("work that is taken up again after its task has ended", () => {
  const last = anAgent({ state: "FAILED" });
  const newestTask = aTask({ state: "ABANDONED", base: "release-1" });
  const ended = aView({ settings, agents: [last], newestTask });
  const cause = { at: AT, actor: "alice", issue: issue(["base:stable"]), personPull: null, why: "" };

  it("by a retry goes where it went", () => {
    expect(basesOf(revives(last, ended, cause) ?? start(""))).toEqual(["release-1"]);
    expect(basesOf(revives(last, { ...ended, newestTask: null }, cause) ?? start(""))).toEqual(["stable"]);
  });

  it("is refused once the list no longer has the branch", () => {
    const narrowed = { ...ended, settings: someSettings() };
    expect(rulesOf(revives(last, narrowed, cause) ?? start(""))).toEqual(["base_refused"]);
  });

  it("by reopening the issue goes where it went", () => {
    expect(basesOf(decide(aDomainEvent("issue_reopened"), ended))).toEqual(["release-1"]);
  });
});
