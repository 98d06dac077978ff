import { array, assert as assertProperty, boolean, constantFrom, property } from "fast-check";
import { expect, it } from "vitest";
import { VERBS } from "../../src/core/command.ts";
import { AGENT_STATES } from "../../src/core/machines/agent-record.ts";
import { TASK_STATES } from "../../src/core/machines/task.ts";
import type { Occurrence } from "../../src/core/occurrence.ts";
import { react } from "../../src/core/react.ts";
import { joined, NOTHING } from "../../src/core/reaction.ts";
import { aView } from "../factories/a-view.ts";
import { aCommand, anOccurrence } from "../factories/an-occurrence.ts";
import { anAgent, aTask } from "../factories/records.ts";

const occurrences: readonly Occurrence[] = [
  anOccurrence("issue_opened"),
  anOccurrence("issue_labeled"),
  anOccurrence("issue_labeled", { label: "nonsense" }),
  anOccurrence("issue_unlabeled"),
  anOccurrence("issue_unlabeled", { label: "needs-human" }),
  anOccurrence("issue_closed"),
  anOccurrence("issue_reopened"),
  anOccurrence("issue_assigned"),
  anOccurrence("issue_gone"),
  anOccurrence("issue_gone", { to: "acme/other#3" }),
  anOccurrence("issue_locked"),
  anOccurrence("issue_locked", { locked: false }),
  anOccurrence("issue_edited"),
  anOccurrence("commented"),
  anOccurrence("commented", { mention: true }),
  anOccurrence("commented", { command: { verb: "unknown", given: "x", nearest: null } }),
  ...VERBS.map((verb) => aCommand(verb)),
  anOccurrence("pull_closed"),
  anOccurrence("pull_drafted"),
  anOccurrence("pull_ready"),
  anOccurrence("reverted"),
  anOccurrence("review_dismissed"),
  anOccurrence("pushed"),
  anOccurrence("pushed", { tip: null }),
  anOccurrence("pull_closed", { merged: false, mergeCommit: null }),
  anOccurrence("reviewed"),
  anOccurrence("reviewed", { verdict: "changes_requested" }),
];

it("something always follows, if only a decision, and it is never about agents that are unknown", () => {
  assertProperty(
    property(
      constantFrom(...occurrences),
      boolean(),
      array(constantFrom(...AGENT_STATES), { maxLength: 3 }),
      constantFrom(null, ...TASK_STATES),
      (occurrence, permitted, states, state) => {
        const agents = states.map((one, id) => anAgent({ id, state: one, attempt: id + 1 }));
        const view = aView({ agents, task: state === null ? null : aTask({ state }) });
        const reaction = react({ ...occurrence, permitted }, view);
        const { moves, wakes, decisions, effects } = reaction;
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
  const stops = (one: Occurrence) => facts.includes(one.type) || (one.type === "issue_locked" && one.locked);
  for (const occurrence of occurrences.filter((one) => !stops(one)))
    for (const state of AGENT_STATES) {
      const view = aView({ agents: [anAgent({ state })] });
      const { moves, wakes } = react({ ...occurrence, permitted: false }, view);
      expect([occurrence.type, moves, wakes]).toEqual([occurrence.type, [], []]);
    }
});

it("reactions that are joined keep their order", () => {
  const one = react(anOccurrence("issue_labeled"), aView());
  const two = react(anOccurrence("issue_labeled", { label: "nonsense" }), aView());
  expect(joined(one, NOTHING, two)).toEqual({
    moves: one.moves,
    wakes: [],
    decisions: two.decisions,
    effects: two.effects,
    dayGrants: [],
    approvals: [],
    answers: [],
    tryNow: [],
    marks: [],
  });
});
