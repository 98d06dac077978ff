import { expect, it } from "vitest";
import { SLEEP_REASONS, type SleepReason } from "../../../src/domain/agents/agent-record.ts";
import { type AtIssue, needsHuman } from "../../../src/domain/status/needs-human.ts";

type Agent = AtIssue["agents"][number];

const coder: Agent = { state: "SLEEPING", coder: true, heldBy: [], sleepReason: "blocked" };
const reviewer: Agent = { state: "ACTIVE", coder: false, heldBy: [], sleepReason: null };
const none: AtIssue = { agents: [], task: null, merges: false };

const BY_ITSELF: readonly SleepReason[] = ["blocked", "checks", "restart", "time"];

it.each(SLEEP_REASONS)(
  "one that sleeps for %s needs a person, unless it wakes automatically",
  (sleepReason) => {
    const agents = [{ ...coder, sleepReason }];
    expect(needsHuman({ ...none, agents })).toBe(!BY_ITSELF.includes(sleepReason));
  },
);

it.each([
  ["an escalation", { agents: [{ ...coder, state: "ESCALATED" }] }, true],
  ["a push of somebody else", { agents: [{ ...coder, heldBy: ["commit"] }] }, true],
  ["a hold of an incident", { agents: [{ ...coder, heldBy: ["incident"] }] }, false],
  [
    "one that works though it was held",
    { agents: [{ ...coder, state: "ACTIVE", heldBy: ["person"] }] },
    false,
  ],
  ["one that ended", { agents: [{ ...coder, state: "COMPLETED", sleepReason: "question" }] }, false],
  ["work to review", { task: "READY_FOR_REVIEW" }, true],
  ["work that an agent reviews", { agents: [reviewer], task: "READY_FOR_REVIEW" }, false],
  [
    "a coder whose work an agent reviews",
    { agents: [{ ...coder, sleepReason: "review" }, reviewer], task: "READY_FOR_REVIEW" },
    false,
  ],
  ["approved work", { task: "APPROVED" }, true],
  ["approved work that is merged for them", { task: "APPROVED", merges: true }, false],
  ["work that came back", { agents: [{ ...coder, sleepReason: "review" }], task: "REJECTED" }, false],
  [
    "a failed merge that its coder fixes when it has a slot",
    { agents: [coder], task: "INTEGRATION_FAILED" },
    false,
  ],
  ["rejected work that nobody takes up", { task: "REJECTED" }, true],
  ["a failed merge that nobody fixes", { task: "INTEGRATION_FAILED" }, true],
  ["work without a plan", { task: "BLOCKED" }, true],
  [
    "work without a plan that a coder takes up",
    { agents: [{ ...coder, state: "CREATED" }], task: "BLOCKED" },
    false,
  ],
  ["nothing", {}, false],
] as const satisfies readonly (readonly [string, Partial<AtIssue>, boolean])[])(
  "%s: %o",
  (_, given, needed) => {
    expect(needsHuman({ ...none, ...given })).toBe(needed);
  },
);
