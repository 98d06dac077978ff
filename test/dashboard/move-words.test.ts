import { expect, it } from "vitest";
import { decisionsShown } from "../../src/dashboard/page/decision-list.ts";
import { type Move, moveSentence, reasonWords, stepWord } from "../../src/dashboard/page/move-words.ts";
import { agentMachine } from "../../src/domain/agents/agent.ts";
import { AGENT_STATES, WAKE_REASONS } from "../../src/domain/agents/agent-record.ts";
import { taskMachine } from "../../src/domain/tasks/task.ts";

const move = (given: Partial<Move>): Move => ({
  id: 1,
  at: "2026-01-01T00:00:00Z",
  machine: "agent",
  actor: "flotilla",
  event: "START",
  from: "CREATED",
  to: "ACTIVE",
  reason: null,
  ...given,
});

it("has words for each event, wake reason and state of an agent, and for each event of its work", () => {
  const plain = [agentMachine, taskMachine].flatMap(({ name, rules }) =>
    [...new Set(rules.map(({ on }) => on))].filter((event) =>
      /^(?:Agent|Work): /.test(moveSentence(move({ machine: name, event })) ?? ""),
    ),
  );
  expect(plain).toEqual([]);
  expect(WAKE_REASONS.filter((reason) => reasonWords(reason) === reason)).toEqual([]);
  expect(AGENT_STATES.filter((state) => stepWord(state) === state.toLowerCase())).toEqual([
    "CREATED",
    "FAILED",
    "CANCELLED",
  ]);
});

it("names who caused a move, unless it was Flotilla or the agent", () => {
  expect(moveSentence(move({ event: "PAUSE", actor: "@octocat" }))).toBe("Paused by @octocat");
  expect(moveSentence(move({ event: "PAUSE", actor: "operator:root" }))).toBe("Paused by the operator root");
  for (const actor of ["flotilla", "flotilla[bot]", "agent"])
    expect(moveSentence(move({ actor }))).toBe("Started work");
});

it("tells no move that people need not know", () => {
  expect(moveSentence(move({ machine: "session", event: "REST" }))).toBeNull();
  expect(moveSentence(move({ machine: "run" }))).toBeNull();
  const same = { machine: "task", event: "APPROVE", from: "READY_FOR_REVIEW" };
  expect(moveSentence(move({ ...same, to: "READY_FOR_REVIEW" }))).toBeNull();
  expect(moveSentence(move({ ...same, to: "APPROVED" }))).toBe("A review approved the work");
});

it("reads the reason of a wake as words", () => {
  expect(reasonWords("blocker: #33 was closed")).toBe("#33 was closed");
  expect(reasonWords("message")).toBe("a message came");
  expect(reasonWords("the label bug")).toBe("the label bug");
  expect(reasonWords("constructor")).toBe("constructor");
  expect(reasonWords("other: text")).toBe("other: text");
});

it("leaves Flotilla's own acts out of the decisions, and joins equal ones at the place of the latest", () => {
  const decision = {
    at: "",
    rule: "slot",
    what: "waits",
    reason: "full",
    change: null,
    next: "wait",
    count: 1,
  };
  const own = { ...decision, rule: "own_act" };
  const other = { ...decision, reason: "none is free" };
  expect(decisionsShown([own, decision, other, { ...decision, at: "earlier", count: 2 }])).toEqual([
    { ...decision, count: 3 },
    other,
  ]);
});
