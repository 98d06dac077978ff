import { expect, it } from "vitest";
import type { AgentRecord } from "../../../src/domain/agents/agent-record.ts";
import { holdsOf } from "../../../src/domain/breakers/hold.ts";
import { type AgentHeadlineFacts, agentHeadline } from "../../../src/domain/status/agent-headline.ts";
import { anAgent, aRun } from "../../factories/records.ts";

const NOTHING: AgentHeadlineFacts = {
  run: null,
  task: null,
  holds: [],
  questions: [],
  approvals: [],
  answered: [],
  heldUp: null,
  isReviewed: false,
  hasSuccessor: false,
};

const of = (agent: Partial<AgentRecord>, facts: Partial<AgentHeadlineFacts> = {}): string =>
  agentHeadline(anAgent({ prNumber: null, ...agent }), { ...NOTHING, ...facts });
const asleep = (agent: Partial<AgentRecord>, facts: Partial<AgentHeadlineFacts> = {}): string =>
  of({ state: "SLEEPING", ...agent }, facts);

const question = (...askedOf: readonly string[]): string =>
  asleep({ sleepReason: "question" }, { questions: [{ askedOf }] });
const approval = (facts: Partial<AgentHeadlineFacts>, breaker: string | null = null): string =>
  asleep({ sleepReason: "approval", breaker }, facts);

it("says whose answer an agent waits for", () => {
  expect(question("octocat")).toBe("Waiting for @octocat's answer");
  expect(question("octocat", "mona", "hubot")).toBe("Waiting for an answer of @octocat or @mona");
  expect(question()).toBe("Waiting for an answer");
});

it("says what is to be approved, and that the answer has come", () => {
  expect(approval({ approvals: [{ kind: "plan" }] })).toBe("Waiting for a person to approve its plan");
  expect(approval({ approvals: [{ kind: "network" }] })).toBe("Waiting for a person's approval");
  expect(approval({ answered: [{}] })).toBe("Answered, and about to continue");
  expect(approval({}, "max_turns")).toBe("Stopped at its turn limit");
  expect(approval({}, "max_cost_usd")).toBe("Stopped at one of its limits");
});

it.each([
  ["READY_FOR_REVIEW", {}, "is ready for review"],
  ["READY_FOR_REVIEW", { isReviewed: true }, "is being reviewed by an agent"],
  ["APPROVED", {}, "is ready to merge"],
  ["APPROVED", { merging: { ahead: null } }, "is in the merge queue"],
] as const)(
  "says of work that is %s, with %o, that it %s, whether its coder sleeps or has ended",
  (task, facts, words) => {
    const waits = asleep({ sleepReason: "review", prNumber: 5 }, { task, ...facts });
    expect(waits).toBe(`Pull request #5 ${words}`);
    const done = of({ state: "COMPLETED", prNumber: 5, coder: true }, { task, ...facts });
    expect(done).toBe(`Done: pull request #5 ${words}`);
    expect(of({ state: "COMPLETED", prNumber: 5, coder: false }, { task, ...facts })).toBe("Done");
  },
);

it("says of merged work that it is, and of nothing more", () => {
  expect(of({ state: "COMPLETED", prNumber: 5 }, { task: "MERGED" })).toBe("Done: pull request #5 is merged");
  expect(of({ state: "COMPLETED" }, { task: "MERGED" })).toBe("Done: its work is merged");
  expect(of({ state: "COMPLETED" }, { task: "ABANDONED" })).toBe("Done");
});

it("names up to three blockers, also of other repositories", () => {
  const elsewhere = [{ repositoryId: 8, repository: "acme/lib", number: 4 }];
  expect(asleep({ sleepReason: "blocked", blockedBy: [2], blockedElsewhere: elsewhere })).toBe(
    "Waiting for #2 and acme/lib#4",
  );
  expect(asleep({ sleepReason: "blocked", blockedBy: [2, 3, 4, 5] })).toBe("Waiting for 4 other issues");
  expect(asleep({ sleepReason: "blocked", blockedBy: [] })).toBe("Waiting for another issue");
});

it.each([
  ["checks", "Waiting for the checks of its commit"],
  ["provider_limit", "Waiting for the model provider"],
  ["retry", "Retrying soon after an error"],
  ["restart", "Continues after the restart of Flotilla"],
  ["time", "Waiting until a set time"],
  ["paused", "Paused"],
] as const)("says of an agent that sleeps for %s: %s", (sleepReason, words) => {
  expect(asleep({ sleepReason })).toBe(words);
  const heldBy = ["commit"] as const;
  expect(
    asleep(
      { sleepReason, heldBy: [...heldBy] },
      { holds: holdsOf(anAgent({ state: "SLEEPING", heldBy: [...heldBy] }), []) },
    ),
  ).toBe("Paused");
});

it("says how the others stand", () => {
  expect(of({ state: "CREATED" })).toBe("About to start");
  expect(of({ state: "CREATED" }, { heldUp: {} })).toBe("Waiting to start");
  expect(of({ state: "CREATED", dueAt: 1 })).toBe("Starts later");
  const heldBy = ["person" as const];
  const holds = holdsOf(anAgent({ state: "CREATED", heldBy }), []);
  expect(of({ state: "CREATED", heldBy }, { holds })).toBe("Paused before its start");
  expect(of({ state: "ACTIVE" }, { run: aRun({ state: "executing" }) })).toBe("Working");
  expect(of({ state: "ACTIVE" }, { run: aRun({ state: "evaluating" }) })).toBe("Its work is being checked");
  expect(of({ state: "ESCALATED" })).toBe("Needs a person");
  expect(of({ state: "FAILED" })).toBe("Failed");
  expect(of({ state: "FAILED" }, { hasSuccessor: true })).toBe("Failed, and a later attempt has taken over");
  expect(of({ state: "CANCELLED" })).toBe("Cancelled");
  expect(of({ state: "CANCELLED" }, { hasSuccessor: true })).toBe(
    "Cancelled, and a later attempt has taken over",
  );
});
