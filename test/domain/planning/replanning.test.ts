import { expect, it } from "vitest";
import type { AgentRecord } from "../../../src/domain/agents/agent-record.ts";
import {
  blockedMessage,
  canReceiveMessage,
  canReplan,
  NO_REPLANNER,
  needsReplanning,
  replanningMessage,
} from "../../../src/domain/planning/replanning.ts";
import { escalatedComment } from "../../../src/domain/status/comments.ts";
import { aRole } from "../../factories/a-role.ts";
import { anAgent } from "../../factories/records.ts";

it.each<[boolean, Partial<AgentRecord>]>([
  [true, { state: "ACTIVE" }],
  [true, { state: "SLEEPING", sleepReason: "question" }],
  [false, { state: "SLEEPING", sleepReason: "question", heldBy: ["person"] }],
  [false, { state: "SLEEPING", sleepReason: "provider_limit" }],
  [false, { state: "ESCALATED" }],
  [false, { state: "COMPLETED" }],
])("that a planner hears of a task now is %s for %j", (expected, agent) => {
  expect(canReceiveMessage(anAgent(agent))).toBe(expected);
});

it("a role replans that may rescope", () => {
  expect(canReplan(aRole({ tools: ["rescope_task", "report_complete"] }))).toBe(true);
  expect(canReplan(aRole())).toBe(false);
});

const asked = {
  role: "feat-dev",
  trouble: null,
  reason: "Two things.",
  question: null,
  breaker: null,
  tried: [],
  links: [],
  notify: ["oncall"],
  label: "needs-human",
};

it("people read who replans the task and each thing that they can do", () => {
  expect(escalatedComment({ ...asked, replanner: NO_REPLANNER })).toBe(
    [
      "**feat-dev** says that its task needs replanning. It needs a person. @oncall",
      "",
      "> Two things.",
      "",
      "**What you can do**",
      "",
      "- comment with new instructions, or remove the label `needs-human`: feat-dev continues on the same branch",
      "- edit the issue, then say `/flotilla retry` to start a new attempt",
      "- `/flotilla cancel` gives the task up; the branch is kept",
    ].join("\n"),
  );
  expect(escalatedComment({ ...asked, replanner: { agent: null, role: "planner" } })).toContain(
    "- `/flotilla start planner` has **planner** replan it",
  );
  const agent = { id: 3, name: "planner-issue-1", role: "planner", issue: 1 };
  const told = escalatedComment({ ...asked, replanner: { agent, role: "planner" } });
  expect(told).toContain("`planner-issue-1` on #1 has been asked to replan it; you can do that as well.");
  expect(told).not.toMatch(/@oncall|flotilla start/);
});

it("the coder waits with its reason, and a planner reads that reason in one line, with what it can do", () => {
  const reason = "Two things.\nBoth are large.";
  expect(needsReplanning({ at: 5, replanner: NO_REPLANNER }, reason)).toMatchObject({
    type: "ESCALATE",
    actor: "agent",
    category: "replanning",
    reason: `its task needs replanning: ${reason}`,
    replanning: { reason, replanner: NO_REPLANNER },
  });
  expect(replanningMessage({ name: "feat-dev-issue-4", issue: 4 }, reason)).toMatch(
    /^feat-dev-issue-4 says that the task of #4 .* rescope_task .*: Two things\. Both are large\.$/,
  );
  expect(blockedMessage(4, reason)).toMatch(
    /^The task of #4 is BLOCKED .*: Two things\. Both are large\.\. .*supersede_task\.$/,
  );
});
