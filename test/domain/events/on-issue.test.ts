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
import { effectsOf, movesOf, rulesOf, wakesOf, whyOf } from "../kernel/changes-as-text.ts";

const stranger = { actor: aPerson("stranger"), permitted: false };

function labelled(labels: readonly string[], permitted = true) {
  const { issue } = aDomainEvent("issue_opened");
  return aDomainEvent("issue_opened", { issue: { ...issue, labels }, permitted });
}

describe("an issue that is opened", () => {
  it("starts every role that waits for that", () => {
    const changes = decide(aDomainEvent("issue_opened"), aView());
    expect(movesOf(changes)).toEqual(["agent new CREATE"]);
    expect(changes.moves[0]?.event).toMatchObject({ newAgent: { role: "triage", ephemeral: true } });
    const two = rolesOf(
      aRole({ name: "a", evidence: "none", triggers: [{ event: "issues.opened" }] }),
      aRole({ name: "b", evidence: "none", triggers: [{ event: "issues.opened" }] }),
    );
    const view = aView({ settings: someSettings({ roles: two }) });
    expect(movesOf(decide(aDomainEvent("issue_opened"), view))).toHaveLength(2);
  });

  it("with a label that starts a role starts no role that chooses labels", () => {
    const changes = decide(labelled(["p1", "Feature"]), aView());
    expect(movesOf(changes)).toEqual([]);
    expect(rulesOf(changes)).toEqual(["no_role"]);
    expect(whyOf(changes)).toContain("triage chooses labels, and #42 has `Feature` already");
    expect(movesOf(decide(labelled(["p1"]), aView()))).toEqual(["agent new CREATE"]);
    const settings = someSettings({ policy: { ...someSettings().policy, readUntrusted: true } });
    expect(movesOf(decide(labelled(["feature"], false), aView({ settings })))).toEqual(["agent new CREATE"]);
    const reads = aRole({ name: "a", evidence: "none", triggers: [{ event: "issues.opened" }] });
    const both = aView({ settings: someSettings({ roles: rolesOf(reads, aRole()) }) });
    expect(movesOf(decide(labelled(["feature"]), both))).toEqual(["agent new CREATE"]);
  });

  it("by an outsider starts nothing unless untrusted text may be read", () => {
    const opened = aDomainEvent("issue_opened", stranger);
    const changes = decide(opened, aView());
    expect(rulesOf(changes)).toEqual(["untrusted_author"]);
    expect(whyOf(changes)).toContain("@stranger");
    const settings = someSettings({ policy: { ...someSettings().policy, readUntrusted: true } });
    expect(movesOf(decide(opened, aView({ settings })))).toEqual(["agent new CREATE"]);
  });

  it("is only noted where no role waits for that", () => {
    const settings = someSettings({ roles: rolesOf(aRole()) });
    expect(rulesOf(decide(aDomainEvent("issue_opened"), aView({ settings })))).toEqual(["no_role"]);
  });
});

describe("an issue that is closed", () => {
  it("without a merge of ours cancels its agents and abandons its task, the agents first", () => {
    const changes = decide(aDomainEvent("issue_closed"), aView({ agents: [anAgent()], task: aTask() }));
    expect(movesOf(changes)).toEqual(["agent 11 CANCEL", "task 41 OBSERVED_CLOSED"]);
    expect(changes.moves[0]?.event).toMatchObject({ why: "the issue was closed" });
    expect(effectsOf(changes)).toEqual(["status_comment"]);
  });

  it("with a merge of ours completes its agents and merges its task", () => {
    const mergedPull = { number: 50, commit: "c".repeat(40) };
    const changes = decide(
      aDomainEvent("issue_closed", { mergedPull }),
      aView({ agents: [anAgent({ state: "SLEEPING" })], task: aTask() }),
    );
    expect(movesOf(changes)).toEqual(["agent 11 COMPLETE", "task 41 OBSERVED_MERGED"]);
    expect(changes.moves[0]?.event).toMatchObject({ cause: "merged", summary: "#50 was merged" });
    expect(changes.moves[1]?.event).toMatchObject({ commit: mergedPull.commit });
  });

  it.each(AGENT_STATES)("moves an agent in %s only if that is live", (state) => {
    const changes = decide(aDomainEvent("issue_closed"), aView({ agents: [anAgent({ state })] }));
    expect(movesOf(changes)).toEqual(isLive({ state }) ? ["agent 11 CANCEL"] : []);
  });

  it.each(TASK_STATES)("moves a task in %s only if that is open", (state) => {
    const changes = decide(aDomainEvent("issue_closed"), aView({ task: aTask({ state }) }));
    expect(movesOf(changes)).toEqual(isOpenTask({ state }) ? ["task 41 OBSERVED_CLOSED"] : []);
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
    const changes = decide(aDomainEvent("issue_closed", { issue }), aView({ waiting }));
    expect(wakesOf(changes)).toEqual(["60 blocker", "61 blocker"]);
    expect(changes.wakes[0]).toMatchObject({
      key: "blocker:60:2:acme/shop#42",
      detail: `#42, which blocked you, was ${how}.`,
      grant: null,
      dueAt: AT,
    });
    expect(effectsOf(changes)).toEqual([]);
  });

  it("that nobody works on or waits for is only noted", () => {
    expect(rulesOf(decide(aDomainEvent("issue_closed"), aView()))).toEqual(["nobody_concerned"]);
  });
});

const edited = aDomainEvent("issue_edited");

describe("an issue that is edited", () => {
  it("by a permitted person is a message to its agents, with what changed", () => {
    const changes = decide(edited, aView({ agents: [anAgent({ id: 11 })] }));
    expect(wakesOf(changes)).toEqual(["11 message"]);
    expect(changes.wakes[0]?.detail).toContain("@alice edited the issue");
    expect(changes.wakes[0]?.detail).toContain("> It is too bright at night.");
  });

  it("by anybody else is only noted", () => {
    const changes = decide({ ...edited, ...stranger }, aView({ agents: [anAgent()] }));
    expect(wakesOf(changes)).toEqual([]);
    expect(rulesOf(changes)).toEqual(["not_permitted"]);
  });

  it("answers no agent that waits for a person, and says what would", () => {
    const view = aView({ agents: [anAgent({ state: "ESCALATED" })] });
    const changes = decide(edited, view);
    expect(wakesOf(changes)).toEqual([]);
    expect(rulesOf(changes)).toEqual(["waits_for_person"]);
    expect(whyOf(changes)).toContain("/flotilla resume");
  });

  it("tells nothing where neither title nor text changed, and nobody where nobody works", () => {
    const same = { title: anIssue().title, body: anIssue().body };
    const view = aView({ agents: [anAgent()] });
    expect(rulesOf(decide({ ...edited, was: same }, view))).toEqual(["nothing_changed"]);
    expect(rulesOf(decide(edited, aView({ agents: [anAgent({ state: "COMPLETED" })] })))).toEqual([
      "nobody_concerned",
    ]);
  });
});

const unlocked = aDomainEvent("issue_locked", { locked: false });

describe("an issue that is locked", () => {
  it("holds its agents, whoever locked it, and says who did and what lifts it", () => {
    const agents = [anAgent({ id: 11 }), anAgent({ id: 12, state: "ESCALATED" })];
    const changes = decide(aDomainEvent("issue_locked", { permitted: false }), aView({ agents }));
    expect(movesOf(changes)).toEqual(["agent 11 PAUSE"]);
    expect(changes.moves[0]?.event).toMatchObject({ holder: "lock", why: "@alice locked the issue" });
    expect(rulesOf(changes)).toEqual(["locked"]);
    expect(whyOf(changes)).toContain("unlocking it");
    expect(effectsOf(changes)).toEqual(["status_comment"]);
  });

  it("concerns nobody where no agent can be held", () => {
    const view = aView({ agents: [anAgent({ state: "ESCALATED" }), anAgent({ state: "COMPLETED" })] });
    expect(rulesOf(decide(aDomainEvent("issue_locked"), view))).toEqual(["nobody_concerned"]);
  });
});

describe("an issue that is unlocked", () => {
  it("lets those continue that the lock held, whoever unlocks it, and lifts no other holder", () => {
    const agents = [
      anAgent({ id: 11, state: "SLEEPING", sleepReason: "paused", heldBy: ["person", "lock"] }),
      anAgent({ id: 12, state: "SLEEPING", sleepReason: "paused", heldBy: ["person"] }),
    ];
    const changes = decide({ ...unlocked, permitted: false }, aView({ agents }));
    expect(movesOf(changes)).toEqual(["agent 11 RESUME"]);
    expect(changes.moves[0]?.event).toMatchObject({ holders: ["lock"], grant: null });
  });

  it("concerns nobody where nobody is held", () => {
    expect(rulesOf(decide(unlocked, aView({ agents: [anAgent()] })))).toEqual(["nobody_concerned"]);
  });
});

describe("an issue that is gone", () => {
  it("ends every live agent without a word, then its task, and wakes who waits for it", () => {
    const view = aView({
      agents: [anAgent({ id: 11 }), anAgent({ id: 12, state: "COMPLETED" })],
      task: aTask({ id: 3 }),
      waiting: [anAgent({ id: 13, issue: 50, state: "SLEEPING", sleepReason: "blocked", blockedBy: [42] })],
    });
    const changes = decide(aDomainEvent("issue_gone"), view);
    expect(movesOf(changes)).toEqual(["agent 11 CANCEL", "task 3 OBSERVED_CLOSED"]);
    expect(changes.moves[0]?.event).toMatchObject({ quiet: true, gone: true, why: "the issue was deleted" });
    expect(wakesOf(changes)).toEqual(["13 blocker"]);
    expect(changes.wakes[0]?.detail).toBe("#42, which blocked you, was deleted.");
    expect(effectsOf(changes)).toEqual([]);
    expect(rulesOf(changes)).toEqual(["issue_gone"]);
    expect(whyOf(changes)).toBe("@alice deleted the issue / nothing: work for it needs a new issue");
  });

  it("to another repository is said with its new place", () => {
    const changes = decide(
      aDomainEvent("issue_gone", { to: "acme/other#3" }),
      aView({ agents: [anAgent()] }),
    );
    expect(changes.moves[0]?.event).toMatchObject({ why: "the issue was transferred to acme/other#3" });
    expect(whyOf(changes)).toBe(
      "@alice moved the issue to acme/other#3 / label acme/other#3, or say `/flotilla start` there",
    );
  });

  it("leaves a task alone that has ended", () => {
    const changes = decide(aDomainEvent("issue_gone"), aView({ task: aTask({ state: "MERGED" }) }));
    expect(movesOf(changes)).toEqual([]);
    expect(rulesOf(changes)).toEqual(["issue_gone"]);
  });
});
