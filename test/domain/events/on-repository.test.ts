import { describe, expect, it } from "vitest";
import type { AgentRecord } from "../../../src/domain/agents/agent-record.ts";
import {
  type Fate,
  fateOf,
  onFate,
  summarizeRepositoryEvent,
} from "../../../src/domain/events/on-repository.ts";
import { isRepositoryEvent } from "../../../src/domain/events/repository-event.ts";
import type { TaskRecord } from "../../../src/domain/tasks/task-record.ts";
import { aDomainEvent } from "../../factories/an-occurrence.ts";
import { AT } from "../../factories/moment.ts";
import { anAgent, aTask } from "../../factories/records.ts";
import { CONFINED, someSettings } from "../../factories/some-settings.ts";
import { movesOf, rulesOf, wakesOf, whyOf } from "../kernel/changes-as-text.ts";

const settings = someSettings({ repositories: ["acme/*"] });
const repository = { owner: "acme", name: "shop" };

const means = (fate: Fate, was: string | null = null, now = repository) =>
  fateOf(fate, { repository: now, settings, by: "@alice", was });

function met(fate: Fate, agents: readonly AgentRecord[], task: TaskRecord | null = null) {
  return onFate(means(fate), { agents, task, at: AT, actor: "alice" });
}

const everyState = (["CREATED", "ACTIVE", "SLEEPING", "ESCALATED", "COMPLETED"] as const).map(
  (state, index) => anAgent({ id: index + 1, state, sleepReason: state === "SLEEPING" ? "review" : null }),
);

describe("a repository that the App cannot reach any more", () => {
  it.each(["removed", "uninstalled", "deleted"] as const)(
    "%s: every live agent ends and nothing is written there",
    (fate) => {
      const changes = met(fate, everyState);
      expect(movesOf(changes)).toEqual([
        "agent 1 CANCEL",
        "agent 2 CANCEL",
        "agent 3 CANCEL",
        "agent 4 CANCEL",
      ]);
      expect(changes.moves[0]?.event).toMatchObject({ quiet: true, gone: true, actor: "alice" });
      expect(changes.effects).toEqual([]);
      expect(whyOf(changes)).toContain("@alice");
    },
  );

  it("closes tasks only where the issues are gone too", () => {
    const task = aTask({ id: 5, state: "READY_FOR_REVIEW" });
    expect(movesOf(met("removed", [], task))).toEqual([]);
    expect(movesOf(met("deleted", [], task))).toEqual(["task 5 OBSERVED_CLOSED"]);
    expect(movesOf(met("deleted", [], { ...task, state: "MERGED" }))).toEqual([]);
    expect(movesOf(met("deleted", []))).toEqual([]);
  });
});

describe("a repository that agents may not work in for now", () => {
  it.each([
    ["suspended", "suspended", "the App's installation on acme/shop", "unsuspended"],
    ["archived", "archived", "archived the repository", "unarchived"],
    ["publicized", null, "made the repository public", "make the repository private"],
  ] as const)("%s: those at work sleep until it is over, the others stay", (fate, holder, why, lift) => {
    expect(means(fate)).toMatchObject({ kind: "hold", holder });
    const changes = met(fate, everyState);
    expect(movesOf(changes)).toEqual(["agent 2 PAUSE"]);
    expect(changes.moves[0]?.event).toMatchObject({ holder: null });
    expect(wakesOf(changes)).toEqual(["2 resumed"]);
    expect(whyOf(changes)).toContain(why);
    expect(whyOf(changes)).toContain(lift);
  });

  it.each([
    ["unsuspended", "suspended"],
    ["unarchived", "archived"],
    ["privatized", null],
  ] as const)("%s: what held them is over, and that is all", (fate, holder) => {
    expect(means(fate)).toMatchObject({ kind: "go_on", holder });
    const changes = met(fate, everyState);
    expect(movesOf(changes)).toEqual([]);
    expect(rulesOf(changes)).toEqual([fate]);
  });
});

it("a repository that is made public while agents are confined is noted, and they continue", () => {
  const confined = someSettings({ sandbox: CONFINED });
  const consequence = fateOf("publicized", { repository, settings: confined, by: "@alice", was: null });
  const changes = onFate(consequence, { agents: everyState, task: null, at: AT, actor: "alice" });
  expect(movesOf(changes)).toEqual([]);
  expect(rulesOf(changes)).toEqual(["publicized"]);
});

describe("a repository under another name", () => {
  it.each(["renamed", "transferred"] as const)("%s: its agents continue, and it is said", (fate) => {
    expect(means(fate, "acme/store")).toMatchObject({
      kind: "note",
      rule: fate,
      reason: `@alice ${fate} the repository acme/store to acme/shop`,
    });
    expect(movesOf(met(fate, everyState))).toEqual([]);
  });

  it("ends its agents when that name is not on the list, and says what would change it", () => {
    const out = means("transferred", "acme/shop", { owner: "elsewhere", name: "shop" });
    expect(out).toMatchObject({ kind: "end", rule: "not_listed" });
    expect(out.reason).toBe(
      "@alice transferred the repository acme/shop to elsewhere/shop, which is not on the list of repositories in the configuration",
    );
    expect(out.change).toContain("add elsewhere/shop to `repositories`");
    expect(means("renamed", null).reason).toBe("@alice renamed the repository to acme/shop");
  });
});

it("says what news came to, also where nobody is concerned", () => {
  const base = { delivery: "d-1", at: AT, actor: { id: 1, login: "alice", type: "User" } } as const;
  const covers = { ...base, type: "coverage_changed", installationId: 5, added: [], removed: [7] } as const;
  const added = [{ id: 8, owner: "acme", name: "lib", private: true }];
  expect(summarizeRepositoryEvent(covers, { repositories: [repository], issues: 2 })).toEqual({
    rule: "coverage_changed",
    reason: "@alice: removed: acme/shop, 2 issues with agents",
  });
  expect(
    summarizeRepositoryEvent({ ...covers, added }, { repositories: [repository], issues: 1 }).reason,
  ).toBe("@alice: the App came to acme/lib; removed: acme/shop, 1 issues with agents");
  expect(summarizeRepositoryEvent({ ...covers, added }, { repositories: [], issues: 0 }).reason).toBe(
    "@alice: the App came to acme/lib",
  );
  const suspended = {
    ...base,
    type: "installation_changed",
    installationId: 5,
    change: "suspended",
  } as const;
  expect(summarizeRepositoryEvent(suspended, { repositories: [], issues: 0 }).reason).toBe(
    "@alice: suspended: no repository that we know, 0 issues with agents",
  );
});

it("tells news of repositories from what happened to an issue", () => {
  expect(isRepositoryEvent(aDomainEvent("issue_opened", {}))).toBe(false);
  expect(isRepositoryEvent({ type: "coverage_changed" })).toBe(true);
});
