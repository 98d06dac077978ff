import { array, assert as assertProperty, boolean, constantFrom, property } from "fast-check";
import { expect, it } from "vitest";
import { AGENT_STATES } from "../../src/domain/agents/agent-record.ts";
import { VERBS } from "../../src/domain/commands/command.ts";
import { decide } from "../../src/domain/decide.ts";
import type { DomainEvent } from "../../src/domain/events/domain-event.ts";
import { mergeChanges, NO_CHANGES } from "../../src/domain/kernel/change-set.ts";
import { TASK_STATES } from "../../src/domain/tasks/task-record.ts";
import { aQuestion } from "../factories/a-question.ts";
import { aView } from "../factories/a-view.ts";
import { aCommand, aDomainEvent } from "../factories/an-occurrence.ts";
import { anAgent, aTask } from "../factories/records.ts";
import { effectsOf, rulesOf, whyOf } from "./kernel/changes-as-text.ts";

const occurrences: readonly DomainEvent[] = [
  aDomainEvent("issue_opened"),
  aDomainEvent("issue_labeled"),
  aDomainEvent("issue_labeled", { label: "nonsense" }),
  aDomainEvent("issue_unlabeled"),
  aDomainEvent("issue_unlabeled", { label: "needs-human" }),
  aDomainEvent("issue_closed"),
  aDomainEvent("issue_reopened"),
  aDomainEvent("issue_assigned"),
  aDomainEvent("issue_gone"),
  aDomainEvent("issue_gone", { to: "acme/other#3" }),
  aDomainEvent("issue_locked"),
  aDomainEvent("issue_locked", { locked: false }),
  aDomainEvent("issue_edited"),
  aDomainEvent("commented"),
  aDomainEvent("commented", { mention: true }),
  aDomainEvent("commented", { command: { verb: "unknown", given: "x", nearest: null } }),
  ...VERBS.map((verb) => aCommand(verb)),
  aDomainEvent("pull_closed"),
  aDomainEvent("pull_drafted"),
  aDomainEvent("pull_ready"),
  aDomainEvent("reverted"),
  aDomainEvent("review_dismissed"),
  aDomainEvent("pushed"),
  aDomainEvent("pushed", { tip: null }),
  aDomainEvent("pull_closed", { merged: false, mergeCommit: null }),
  aDomainEvent("reviewed"),
  aDomainEvent("reviewed", { verdict: "changes_requested" }),
];

it("something always follows, if only a decision, and it is never about agents that are unknown", () => {
  assertProperty(
    property(
      constantFrom(...occurrences),
      boolean(),
      array(constantFrom(...AGENT_STATES), { maxLength: 3 }),
      constantFrom(null, ...TASK_STATES),
      (event, permitted, states, state) => {
        const agents = states.map((one, id) => anAgent({ id, state: one, attempt: id + 1 }));
        const view = aView({ agents, task: state === null ? null : aTask({ state }) });
        const changes = decide({ ...event, permitted }, view);
        const { moves, wakes, decisions, effects } = changes;
        expect(moves.length + wakes.length + decisions.length + effects.length).toBeGreaterThan(0);
        const known = new Set(agents.map(({ id }) => id));
        const about = [
          ...moves.flatMap((move) => (move.machine === "agent" ? (move.id ?? []) : [])),
          ...wakes.map(({ agentId }) => agentId),
        ];
        expect(about.filter((id) => !known.has(id))).toEqual([]);
      },
    ),
    { numRuns: 1000 },
  );
});

it("a person who may not steer moves nothing but by closing, deleting, locking, assigning, pushing, merging or removing a label", () => {
  const facts = ["issue_closed", "issue_gone", "issue_assigned", "pull_closed", "pushed", "issue_unlabeled"];
  const stops = (one: DomainEvent) => facts.includes(one.type) || (one.type === "issue_locked" && one.locked);
  for (const event of occurrences.filter((one) => !stops(one)))
    for (const state of AGENT_STATES) {
      const view = aView({ agents: [anAgent({ state })] });
      const { moves, wakes } = decide({ ...event, permitted: false }, view);
      expect([event.type, moves, wakes]).toEqual([event.type, [], []]);
    }
});

it("change sets that are merged keep their order", () => {
  const one = decide(aDomainEvent("issue_labeled"), aView());
  const two = decide(aDomainEvent("issue_labeled", { label: "nonsense" }), aView());
  expect(mergeChanges(one, NO_CHANGES, two)).toEqual({
    moves: one.moves,
    wakes: [],
    decisions: two.decisions,
    effects: two.effects,
    dayGrants: [],
    approvals: [],
    answers: [],
    tryNow: [],
    attributes: [],
  });
});

const unread = [{ login: "alice", error: "GitHub answered 502" }];
const asked = { permitted: false, unread };
const talk = aDomainEvent("commented", asked);

it("an act that GitHub's silence stopped is told as that, with what to do", () => {
  const changes = decide(aDomainEvent("issue_labeled", asked), aView());
  expect(rulesOf(changes)).toEqual(["not_permitted", "permission_unread"]);
  expect(whyOf(changes)).toContain(
    "GitHub did not say what @alice may do here (GitHub answered 502), which counts as nothing / do the same again",
  );
  expect(effectsOf(changes)).toEqual(["status_comment", "status_comment"]);
});

it.each([
  ["an agent waits for a person", { agents: [anAgent({ state: "ESCALATED" })] }, ["status_comment"]],
  ["a question is open", { questions: [aQuestion()] }, ["status_comment"]],
  ["nobody waits", {}, []],
])(
  "words of somebody unknown are shown as that only where they may have been an answer: %s",
  (_, view, effects) => {
    const changes = decide(talk, aView(view));
    expect(rulesOf(changes)).toEqual(["talk", "permission_unread"]);
    expect(effectsOf(changes)).toEqual(effects);
  },
);

it("says nothing of permissions that were read", () => {
  expect(rulesOf(decide(aDomainEvent("commented", { permitted: false }), aView()))).toEqual(["talk"]);
});
