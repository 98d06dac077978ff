import { describe, expect, it } from "vitest";
import { type Known, mayHaveMissed, missedByIssue } from "../../../src/domain/backfill/missed-by-issue.ts";
import type { GitHubEvent, GitHubIssue } from "../../../src/domain/ports/github.ts";
import { aDecision } from "../../factories/a-decision.ts";
import { anIssue, aPerson } from "../../factories/an-occurrence.ts";
import { AT, MINUTE } from "../../factories/moment.ts";
import { anAgent, aTask } from "../../factories/records.ts";

const BOT = 41;

function known(overrides: Partial<Known> = {}): Known {
  return {
    agents: [anAgent({ createdAt: AT })],
    task: null,
    decisions: [],
    given: [],
    resuming: new Set(),
    escalationLabel: "needs-human",
    botId: BOT,
    ...overrides,
  };
}

const issue = (overrides: Partial<GitHubIssue> = {}): GitHubIssue => ({
  ...anIssue({ labels: ["needs-human"] }),
  id: 1,
  isPullRequest: false,
  ...overrides,
});

const refusal = (login: string, lastAt: number) =>
  aDecision({ lastAt, reason: `@${login} has no write permission` });

let ids = 0;
const event = (name: string, at: number, overrides: Partial<GitHubEvent> = {}): GitHubEvent => ({
  id: ++ids,
  event: name,
  actor: aPerson("bob"),
  createdAt: `${new Date(at).toISOString().slice(0, 19)}Z`,
  label: null,
  assignee: null,
  commit: null,
  ...overrides,
});

const told = (one: GitHubIssue, events: readonly GitHubEvent[], of: Known) =>
  missedByIssue(one, events, of).map(({ action, sender }) => `${action} by ${sender.login}`);

describe("an issue that is closed", () => {
  const closed = issue({ state: "closed" });

  it("is told of to agents that lived before, in the same second too, and to no other", () => {
    const at = AT + 5_000;
    for (const [createdAt, expected] of [
      [at - MINUTE, ["closed by bob"]],
      [at + 999, ["closed by bob"]],
      [at + 1000, []],
    ] as const)
      expect(told(closed, [event("closed", at)], known({ agents: [anAgent({ createdAt })] }))).toEqual(
        expected,
      );
  });

  it("is told of to an open task without an agent, and to nobody where all has ended", () => {
    const events = [event("closed", AT + MINUTE)];
    expect(told(closed, events, known({ agents: [], task: aTask({ createdAt: AT }) }))).toEqual([
      "closed by bob",
    ]);
    const over = known({ agents: [anAgent({ state: "CANCELLED" })], task: aTask({ state: "MERGED" }) });
    expect(told(closed, events, over)).toEqual([]);
    expect(mayHaveMissed(closed, over)).toBe(false);
  });

  it("is told of by its last closing, and not while GitHub's list does not have that yet", () => {
    const [first, again, last] = [event("closed", AT), event("reopened", AT), event("closed", AT)];
    expect(missedByIssue(closed, [first, again, last], known())).toMatchObject([
      { name: `event-${last.id}` },
    ]);
    expect(told(closed, [first, again], known())).toEqual([]);
    expect(told(closed, [], known())).toEqual([]);
  });
});

it("nothing is told of an issue as it was", () => {
  expect(mayHaveMissed(issue(), known())).toBe(false);
  expect(told(issue(), [event("closed", AT), event("reopened", AT)], known())).toEqual([]);
});

describe("a person who was assigned", () => {
  const bob = aPerson("bob");
  const assigned = (to = bob) => event("assigned", AT + MINUTE, { assignee: to });

  it("is told with their name, while they are", () => {
    expect(missedByIssue(issue({ assignees: [bob] }), [assigned()], known())).toMatchObject([
      { action: "assigned", fields: { assignee: { login: "bob" }, issue: { number: 42 } } },
    ]);
    expect(told(issue({ assignees: [aPerson("carol")] }), [assigned()], known())).toEqual([]);
  });

  it("is no bot, and nothing to agents that have ended", () => {
    const bot = aPerson("helper[bot]", { type: "Bot" });
    expect(told(issue({ assignees: [bob, bot] }), [assigned(bot)], known())).toEqual([]);
    expect(told(issue({ assignees: [bob] }), [assigned()], known({ agents: [] }))).toEqual([]);
  });
});

describe("a lock", () => {
  const locked = issue({ locked: true });

  it.each([
    ["ACTIVE", [], ["locked by bob"]],
    ["ACTIVE", ["lock"], []],
    ["ESCALATED", [], []],
    ["CANCELLED", [], []],
  ] as const)("is told to one that is %s and held by %j: %j", (state, heldBy, expected) => {
    const agents = [anAgent({ state, heldBy: [...heldBy] })];
    expect(told(locked, [event("locked", AT)], known({ agents }))).toEqual(expected);
  });

  it("that was lifted is told to those that it holds, and not when it came again", () => {
    const agents = [anAgent({ state: "SLEEPING", heldBy: ["lock"] })];
    const events = [event("locked", AT), event("unlocked", AT)];
    expect(told(issue(), events, known({ agents }))).toEqual(["unlocked by bob"]);
    expect(told(issue(), [...events, event("locked", AT)], known({ agents }))).toEqual([]);
    expect(told(issue(), events, known())).toEqual([]);
  });
});

const removed = (overrides: Partial<GitHubEvent> = {}) =>
  event("unlabeled", AT + MINUTE, { label: "Needs-Human", ...overrides });

describe("the escalation label that was removed", () => {
  const without = issue({ labels: ["bug"] });
  const escalated = known({ agents: [anAgent({ state: "ESCALATED", sleepingSince: AT })] });

  it("is told to an agent that asked for a person before", () => {
    expect(missedByIssue(without, [removed()], escalated)).toMatchObject([
      { action: "unlabeled", sender: { login: "bob" }, fields: { label: { name: "Needs-Human" } } },
    ]);
    const later = known({ agents: [anAgent({ state: "ESCALATED", sleepingSince: AT + 2 * MINUTE })] });
    expect(told(without, [removed()], later)).toEqual([]);
    expect(told(issue({ labels: ["NEEDS-human"] }), [removed()], escalated)).toEqual([]);
    expect(told(without, [removed({ label: "bug" }), event("unlabeled", AT)], escalated)).toEqual([]);
  });

  it("is nothing when we did it, when the agent continues already, or when its remover was refused", () => {
    expect(told(without, [removed({ actor: aPerson("flotilla[bot]", { id: BOT }) })], escalated)).toEqual([]);
    expect(told(without, [removed()], { ...escalated, resuming: new Set([11]) })).toEqual([]);
    const after = (...decisions: Known["decisions"]) =>
      told(without, [removed()], { ...escalated, decisions });
    expect(after(refusal("bob", AT + 2 * MINUTE))).toEqual([]);
    expect(after(refusal("bob", AT))).toEqual(["unlabeled by bob"]);
    expect(after(refusal("eve", AT + 2 * MINUTE))).toEqual(["unlabeled by bob"]);
    expect(after(aDecision({ lastAt: AT + 2 * MINUTE, rule: "closed" }))).toEqual(["unlabeled by bob"]);
  });

  it("is nothing to one that has not fallen asleep by our records", () => {
    const never = known({ agents: [anAgent({ state: "ESCALATED", sleepingSince: null })] });
    expect(mayHaveMissed(without, never)).toBe(false);
  });
});

const gone = (overrides: Partial<GitHubEvent> = {}) =>
  event("unlabeled", AT + MINUTE, { label: "Draft", ...overrides });

describe("the label draft that was removed", () => {
  const draft = known({ task: aTask({ state: "DRAFT", createdAt: AT }) });

  it("is told while the task is a draft, and of that label alone", () => {
    expect(missedByIssue(issue(), [gone()], draft)).toMatchObject([
      { action: "unlabeled", sender: { login: "bob" }, fields: { label: { name: "Draft" } } },
    ]);
    expect(told(issue({ labels: ["draft"] }), [gone()], draft)).toEqual([]);
    expect(told(issue(), [gone({ label: "bug" })], draft)).toEqual([]);
    expect(told(issue(), [gone(), event("labeled", AT + MINUTE, { label: "draft" })], draft)).toEqual([]);
    expect(told(issue(), [gone()], known({ task: aTask({ state: "CLAIMED" }), agents: [] }))).toEqual([]);
  });
});
