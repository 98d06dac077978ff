import { describe, expect, it } from "vitest";
import { AGENT_STATES, isLive } from "../../../src/domain/agents/agent-record.ts";
import { decide } from "../../../src/domain/decide.ts";
import { isOpenTask, TASK_STATES } from "../../../src/domain/tasks/task-record.ts";
import { aRole } from "../../factories/a-role.ts";
import { aView } from "../../factories/a-view.ts";
import { aDomainEvent, anIssue, aPerson } from "../../factories/an-occurrence.ts";
import { AT } from "../../factories/moment.ts";
import { anAgent, aTask } from "../../factories/records.ts";
import { rolesOf, someSettings } from "../../factories/some-settings.ts";
import { effectsOf, movesOf, rulesOf, wakesOf, whyOf } from "../reactions/told-of.ts";

const removed = (overrides: Parameters<typeof aDomainEvent<"issue_unlabeled">>[1] = {}) =>
  aDomainEvent("issue_unlabeled", overrides);
const stranger = { actor: aPerson("stranger"), permitted: false };

describe("an issue that is opened", () => {
  it("starts every role that waits for that", () => {
    const reaction = decide(aDomainEvent("issue_opened"), aView());
    expect(movesOf(reaction)).toEqual(["agent new CREATE"]);
    expect(reaction.moves[0]?.event).toMatchObject({ newAgent: { role: "triage", ephemeral: true } });
    const two = rolesOf(
      aRole({ name: "a", evidence: "none", triggers: [{ event: "issues.opened" }] }),
      aRole({ name: "b", evidence: "none", triggers: [{ event: "issues.opened" }] }),
    );
    const view = aView({ settings: someSettings({ roles: two }) });
    expect(movesOf(decide(aDomainEvent("issue_opened"), view))).toHaveLength(2);
  });

  it("by an outsider starts nothing unless untrusted text may be read", () => {
    const opened = aDomainEvent("issue_opened", stranger);
    const reaction = decide(opened, aView());
    expect(rulesOf(reaction)).toEqual(["untrusted_author"]);
    expect(whyOf(reaction)).toContain("@stranger");
    const settings = someSettings({ policy: { ...someSettings().policy, readUntrusted: true } });
    expect(movesOf(decide(opened, aView({ settings })))).toEqual(["agent new CREATE"]);
  });

  it("is only noted where no role waits for that", () => {
    const settings = someSettings({ roles: rolesOf(aRole()) });
    expect(rulesOf(decide(aDomainEvent("issue_opened"), aView({ settings })))).toEqual(["no_role"]);
  });
});

describe("a label that is put on an issue", () => {
  it("starts its role", () => {
    const reaction = decide(aDomainEvent("issue_labeled"), aView());
    expect(movesOf(reaction)).toEqual(["task new OPEN", "agent new CREATE"]);
    expect(reaction.moves[1]?.event).toMatchObject({ newAgent: { role: "feat-dev" } });
  });

  it("twice starts one agent", () => {
    const view = aView({ agents: [anAgent({ state: "CREATED" })], task: aTask() });
    expect(rulesOf(decide(aDomainEvent("issue_labeled"), view))).toEqual(["rival"]);
  });

  it("does not start a coder beside a person's pull request", () => {
    expect(rulesOf(decide(aDomainEvent("issue_labeled", { personPull: 50 }), aView()))).toEqual([
      "person_pull",
    ]);
  });

  it("by somebody without write permission starts nothing and says what would", () => {
    const reaction = decide(aDomainEvent("issue_labeled", stranger), aView());
    expect(rulesOf(reaction)).toEqual(["not_permitted"]);
    expect(whyOf(reaction)).toContain("/flotilla start feat-dev");
    expect(effectsOf(reaction)).toEqual(["status_comment"]);
  });

  it("by our own triage counts only if the issue's author may steer", () => {
    const own = { own: true, permitted: false };
    expect(movesOf(decide(aDomainEvent("issue_labeled", own), aView()))).toHaveLength(2);
    const reaction = decide(aDomainEvent("issue_labeled", { ...own, authorPermitted: false }), aView());
    expect(rulesOf(reaction)).toEqual(["untrusted_author"]);
    expect(whyOf(reaction)).toContain("/flotilla start feat-dev");
    expect(effectsOf(reaction)).toEqual(["status_comment"]);
  });

  it("that asks for a person starts nothing", () => {
    const reaction = decide(aDomainEvent("issue_labeled", { label: "needs-human" }), aView());
    expect(rulesOf(reaction)).toEqual(["escalation_label"]);
  });

  it.each([
    ["featrue", true, "did you mean `feature`?", ["status_comment"]],
    ["Bugs", true, "did you mean `bug`?", ["status_comment"]],
    ["featrue", false, "did you mean `feature`?", []],
    ["question", true, "labels that start one: feature, bug, documentation", []],
  ] as const)("%s (permitted: %s) starts none: %s", (label, permitted, change, effects) => {
    const reaction = decide(aDomainEvent("issue_labeled", { label, permitted }), aView());
    expect(rulesOf(reaction)).toEqual(["no_role"]);
    expect(whyOf(reaction)).toContain(change);
    expect(effectsOf(reaction)).toEqual(effects);
  });
});

describe("a label that is taken away", () => {
  const escalated = anAgent({ state: "ESCALATED" });

  it("ends the live agents of its role, and says why", () => {
    const agents = [
      anAgent({ id: 1, state: "CANCELLED" }),
      anAgent({ id: 2, state: "SLEEPING" }),
      anAgent({ id: 3, role: "triage", coder: false }),
    ];
    const reaction = decide(removed(), aView({ agents }));
    expect(movesOf(reaction)).toEqual(["agent 2 CANCEL"]);
    expect(reaction.moves[0]?.event).toMatchObject({
      why: "the label `feature` was removed",
      actor: "alice",
      quiet: false,
    });
  });

  it.each(["feature", "question"])("and because of which nobody works (%s) is only noted", (label) => {
    expect(rulesOf(decide(removed({ label }), aView()))).toEqual(["label_unused"]);
  });

  it("by ourselves is only noted", () => {
    expect(rulesOf(decide(removed({ own: true }), aView({ agents: [anAgent()] })))).toEqual(["own_act"]);
  });

  it("when it asked for a person lets the escalated agents continue", () => {
    const reaction = decide(removed({ label: "needs-human" }), aView({ agents: [escalated, anAgent()] }));
    expect(reaction.wakes).toEqual([
      {
        key: "d-1:11",
        agentId: 11,
        reason: "resumed",
        detail: "@alice removed the label needs-human: continue.",
        grant: null,
        dueAt: AT,
      },
    ]);
  });

  it("when it asked for a person, by one who may not, or where none waits, is only noted", () => {
    const label = "needs-human";
    const view = aView({ agents: [escalated] });
    const refused = decide(removed({ label, ...stranger }), view);
    expect(rulesOf(refused)).toEqual(["not_permitted"]);
    expect(refused.effects).toEqual([{ kind: "add_labels", labels: [view.settings.escalation.label] }]);
    expect(rulesOf(decide(removed({ label }), aView({ agents: [anAgent()] })))).toEqual(["none_waits"]);
  });
});

describe("an issue that is closed", () => {
  it("without a merge of ours cancels its agents and abandons its task, the agents first", () => {
    const reaction = decide(aDomainEvent("issue_closed"), aView({ agents: [anAgent()], task: aTask() }));
    expect(movesOf(reaction)).toEqual(["agent 11 CANCEL", "task 41 OBSERVED_CLOSED"]);
    expect(reaction.moves[0]?.event).toMatchObject({ why: "the issue was closed" });
    expect(effectsOf(reaction)).toEqual(["status_comment"]);
  });

  it("with a merge of ours completes its agents and merges its task", () => {
    const mergedPull = { number: 50, commit: "c".repeat(40) };
    const reaction = decide(
      aDomainEvent("issue_closed", { mergedPull }),
      aView({ agents: [anAgent({ state: "SLEEPING" })], task: aTask() }),
    );
    expect(movesOf(reaction)).toEqual(["agent 11 COMPLETE", "task 41 OBSERVED_MERGED"]);
    expect(reaction.moves[0]?.event).toMatchObject({ cause: "merged", summary: "#50 was merged" });
    expect(reaction.moves[1]?.event).toMatchObject({ commit: mergedPull.commit });
  });

  it.each(AGENT_STATES)("moves an agent in %s only if that is live", (state) => {
    const reaction = decide(aDomainEvent("issue_closed"), aView({ agents: [anAgent({ state })] }));
    expect(movesOf(reaction)).toEqual(isLive({ state }) ? ["agent 11 CANCEL"] : []);
  });

  it.each(TASK_STATES)("moves a task in %s only if that is open", (state) => {
    const reaction = decide(aDomainEvent("issue_closed"), aView({ task: aTask({ state }) }));
    expect(movesOf(reaction)).toEqual(isOpenTask({ state }) ? ["task 41 OBSERVED_CLOSED"] : []);
  });

  it.each([
    ["completed", "closed"],
    [null, "closed"],
    ["not_planned", "closed as not planned"],
  ])("(%s) wakes those that wait for it, once for each block, and says how", (stateReason, how) => {
    const waiting = [
      anAgent({ id: 60, token: 2, issue: 1, state: "SLEEPING" }),
      anAgent({ id: 61, token: 5, issue: 3, state: "SLEEPING" }),
    ];
    const issue = anIssue({ state: "closed", stateReason });
    const reaction = decide(aDomainEvent("issue_closed", { issue }), aView({ waiting }));
    expect(wakesOf(reaction)).toEqual(["60 blocker", "61 blocker"]);
    expect(reaction.wakes[0]).toMatchObject({
      key: "blocker:60:2:acme/shop#42",
      detail: `#42, which blocked you, was ${how}.`,
      grant: null,
      dueAt: AT,
    });
    expect(effectsOf(reaction)).toEqual([]);
  });

  it("that nobody works on or waits for is only noted", () => {
    expect(rulesOf(decide(aDomainEvent("issue_closed"), aView()))).toEqual(["nobody_concerned"]);
  });
});
