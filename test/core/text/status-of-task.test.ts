import { expect, it } from "vitest";
import type { AgentRecord } from "../../../src/core/machines/agent-record.ts";
import { standing } from "../../../src/core/text/standing.ts";
import { statusComment } from "../../../src/core/text/status-comment.ts";
import { anAgent, aTask } from "../../factories/records.ts";
import { LIMITS } from "../../factories/some-settings.ts";
import { standingFacts } from "../../factories/standing-facts.ts";

const NOTHING = {
  train: null,
  decision: null,
  transitions: [],
  command: null,
  archives: [],
  unlinked: [],
  goal: null,
};

it("says what a person does for the task, by its coder's pull request and who reviews it", () => {
  const task = aTask({ state: "READY_FOR_REVIEW", assigneeId: 5, reviewCommit: "abcdef0" });
  const told = (...agents: readonly AgentRecord[]) =>
    statusComment({
      ...NOTHING,
      task,
      agents: agents.map((agent) => ({
        agent,
        limits: LIMITS,
        standing: standing(agent, standingFacts()),
      })),
    });
  const coder = anAgent({ id: 5, state: "COMPLETED", prNumber: 50 });
  expect(told()).toContain("; next: review its work on GitHub");
  expect(told(coder)).toContain("; next: review #50 on GitHub");
  const reviewer = anAgent({ id: 6, coder: false, state: "CREATED" });
  expect(told(coder, reviewer)).toContain("; next: nothing: an agent reviews it");
  expect(told(coder, { ...reviewer, state: "COMPLETED" })).toContain("; next: review #50 on GitHub");
  expect(told(coder, { ...reviewer, state: "ACTIVE" })).toContain("; next: nothing: an agent reviews it");
});
