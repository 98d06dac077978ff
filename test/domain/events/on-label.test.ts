import { describe, expect, it } from "vitest";
import { decide } from "../../../src/domain/decide.ts";
import { aView } from "../../factories/a-view.ts";
import { aDomainEvent, aPerson } from "../../factories/an-occurrence.ts";
import { AT } from "../../factories/moment.ts";
import { anAgent, aTask } from "../../factories/records.ts";
import { effectsOf, movesOf, rulesOf, whyOf } from "../kernel/changes-as-text.ts";

const removed = (overrides: Parameters<typeof aDomainEvent<"issue_unlabeled">>[1] = {}) =>
  aDomainEvent("issue_unlabeled", overrides);
const stranger = { actor: aPerson("stranger"), permitted: false };

describe("a label that is put on an issue", () => {
  it("starts its role", () => {
    const changes = decide(aDomainEvent("issue_labeled"), aView());
    expect(movesOf(changes)).toEqual(["task new OPEN", "agent new CREATE"]);
    expect(changes.moves[1]?.event).toMatchObject({ newAgent: { role: "feat-dev" } });
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
    const changes = decide(aDomainEvent("issue_labeled", stranger), aView());
    expect(rulesOf(changes)).toEqual(["not_permitted"]);
    expect(whyOf(changes)).toContain("/flotilla start feat-dev");
    expect(effectsOf(changes)).toEqual(["status_comment"]);
  });

  it("by our own triage counts only if the issue's author may steer", () => {
    const own = { own: true, permitted: false };
    expect(movesOf(decide(aDomainEvent("issue_labeled", own), aView()))).toHaveLength(2);
    const changes = decide(aDomainEvent("issue_labeled", { ...own, authorPermitted: false }), aView());
    expect(rulesOf(changes)).toEqual(["untrusted_author"]);
    expect(whyOf(changes)).toContain("/flotilla start feat-dev");
    expect(effectsOf(changes)).toEqual(["status_comment"]);
  });

  it("that asks for a person starts nothing", () => {
    const changes = decide(aDomainEvent("issue_labeled", { label: "needs-human" }), aView());
    expect(rulesOf(changes)).toEqual(["escalation_label"]);
  });

  it.each([
    ["featrue", true, "did you mean `feature`?", ["status_comment"]],
    ["Bugs", true, "did you mean `bug`?", ["status_comment"]],
    ["featrue", false, "did you mean `feature`?", []],
    ["question", true, "labels that start one: feature, bug, documentation", []],
  ] as const)("%s (permitted: %s) starts none: %s", (label, permitted, change, effects) => {
    const changes = decide(aDomainEvent("issue_labeled", { label, permitted }), aView());
    expect(rulesOf(changes)).toEqual(["no_role"]);
    expect(whyOf(changes)).toContain(change);
    expect(effectsOf(changes)).toEqual(effects);
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
    const changes = decide(removed(), aView({ agents }));
    expect(movesOf(changes)).toEqual(["agent 2 CANCEL"]);
    expect(changes.moves[0]?.event).toMatchObject({
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
    const changes = decide(removed({ label: "needs-human" }), aView({ agents: [escalated, anAgent()] }));
    expect(changes.wakes).toEqual([
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
