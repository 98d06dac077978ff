import { expect, it } from "vitest";
import type { AgentRecord } from "../../../src/domain/agents/agent-record.ts";
import { readBlockedByLines } from "../../../src/domain/blockers/blocked-by-lines.ts";
import { mergeQueueText } from "../../../src/domain/merge-queue/merge-text.ts";
import { agentStatus } from "../../../src/domain/status/agent-status.ts";
import { statusComment } from "../../../src/domain/status/status-comment.ts";
import { agentStatusFacts } from "../../factories/agent-status-facts.ts";
import { anAgent, aTask } from "../../factories/records.ts";
import { LIMITS } from "../../factories/some-settings.ts";

const NO_CHANGES = {
  queuePosition: null,
  decision: null,
  transitions: [],
  command: null,
  archives: [],
  unlinked: [],
  checks: [],
  goal: null,
};

it("says what a person does for the task, by its coder's pull request and who reviews it", () => {
  const task = aTask({ state: "READY_FOR_REVIEW", assigneeId: 5, reviewCommit: "abcdef0" });
  const told = (...agents: readonly AgentRecord[]) =>
    statusComment({
      ...NO_CHANGES,
      task,
      agents: agents.map((agent) => ({
        agent,
        limits: LIMITS,
        worksWith: null,
        page: null,
        status: agentStatus(agent, agentStatusFacts()),
      })),
    });
  const coder = anAgent({ id: 5, state: "COMPLETED", prNumber: 50 });
  expect(told()).toContain("; next: review its work on GitHub");
  expect(told(coder)).toContain("; next: review #50 on GitHub");
  const reviewer = anAgent({ id: 6, coder: false, state: "CREATED" });
  expect(told(coder, reviewer)).toContain("; you need to do nothing: an agent reviews it");
  expect(told(coder, { ...reviewer, state: "COMPLETED" })).toContain("; next: review #50 on GitHub");
  expect(told(coder, { ...reviewer, state: "ACTIVE" })).toContain(
    "; you need to do nothing: an agent reviews it",
  );
});

const approved = (queuePosition: { place: number; of: number; ahead: number | null } | null) =>
  statusComment({ ...NO_CHANGES, agents: [], task: aTask({ state: "APPROVED" }), queuePosition });

it("says where approved work status in the merge queue", () => {
  expect(approved({ place: 2, of: 3, ahead: null })).toContain(`; ${mergeQueueText({ place: 2, of: 3 })}\n`);
  expect(approved(null)).not.toContain("merge queue");
});

const blockedBy = (unlinked: Parameters<typeof statusComment>[0]["unlinked"]) =>
  statusComment({ ...NO_CHANGES, agents: [], task: null, unlinked });

it("lists what blocks the issue where GitHub keeps no dependencies, so that it can be ticked off", () => {
  const repository = "acme/lib";
  const unlinked = [
    { repository, number: 7, open: true },
    { repository, number: 9, open: false },
  ];
  expect(blockedBy(unlinked)).toContain(
    "These issues block this one. Tick those that no longer do:\n\n- [ ] blocked by acme/lib#7\n- [x] blocked by acme/lib#9",
  );
  expect(readBlockedByLines(blockedBy(unlinked)).map(({ number, ticked }) => [number, ticked])).toEqual([
    [7, false],
    [9, true],
  ]);
  expect(blockedBy([])).not.toContain("block this one");
});
