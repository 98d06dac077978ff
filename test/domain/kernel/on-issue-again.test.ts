import { describe, expect, it } from "vitest";
import { decide } from "../../../src/domain/decide.ts";
import { aRole } from "../../factories/a-role.ts";
import { aView } from "../../factories/a-view.ts";
import { aDomainEvent, anIssue, aPerson } from "../../factories/an-occurrence.ts";
import { anAgent, aTask } from "../../factories/records.ts";
import { rolesOf, someSettings } from "../../factories/some-settings.ts";
import { movesOf, rulesOf, whyOf } from "./changes-as-text.ts";

const reopened = (overrides: Parameters<typeof aDomainEvent<"issue_reopened">>[1] = {}) =>
  aDomainEvent("issue_reopened", overrides);

describe("an issue that is opened again", () => {
  const worked = anAgent({ state: "COMPLETED" });

  it("gets a new attempt of the coder that worked on it last, on a new task", () => {
    const older = anAgent({ id: 9, role: "bug-fix", state: "FAILED" });
    const sorter = anAgent({ id: 12, role: "triage", coder: false, state: "COMPLETED" });
    const changes = decide(reopened(), aView({ agents: [older, worked, sorter] }));
    expect(movesOf(changes)).toEqual(["task new OPEN", "agent new REOPEN"]);
    expect(changes.moves[1]?.event).toMatchObject({
      actor: "alice",
      why: "the issue was reopened",
      previous: { id: 11 },
      newAgent: { role: "feat-dev", attempt: 2, branch: "flotilla/feat-dev/issue-42-2", prNumber: null },
      entry: { assignedTo: null },
    });
  });

  it("continues with a task that is still open", () => {
    const view = aView({ agents: [worked], task: aTask({ state: "UNCLAIMED" }) });
    expect(movesOf(decide(reopened(), view))).toEqual(["agent new REOPEN"]);
  });

  it.each([
    ["not_permitted", { permitted: false }, {}],
    ["never_worked", {}, { agents: [] }],
    ["never_worked", {}, { agents: [anAgent({ coder: false, state: "COMPLETED" })] }],
    ["never_worked", {}, { agents: [anAgent({ role: "gone", state: "COMPLETED" })] }],
    ["rival", {}, { agents: [anAgent({ state: "SLEEPING" })] }],
    ["person_pull", { personPull: 50 }, {}],
    ["assigned", { issue: anIssue({ assignees: [aPerson("bob")] }) }, {}],
    ["public_unconfined", {}, { private: false }],
  ] as const)("does not for %s with %j and %j", (rule, overrides, view) => {
    const changes = decide(reopened(overrides), aView({ agents: [worked], ...view }));
    expect(rulesOf(changes)).toEqual([rule]);
    expect(movesOf(changes)).toEqual([]);
  });

  it("does not when the role writes no code any more", () => {
    const settings = someSettings({ roles: rolesOf(aRole({ evidence: "outputs" })) });
    expect(rulesOf(decide(reopened(), aView({ agents: [worked], settings })))).toEqual(["never_worked"]);
  });
});

it("an issue that is assigned to a bot ends nothing", () => {
  const assignee = aPerson("helper", { type: "Bot" });
  const changes = decide(aDomainEvent("issue_assigned", { assignee }), aView({ agents: [anAgent()] }));
  expect(rulesOf(changes)).toEqual(["assigned_to_bot"]);
  expect(whyOf(changes)).toContain("@helper");
});
