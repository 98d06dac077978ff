import type { AgentRecord } from "../../src/domain/agents/agent-record.ts";
import type { TransitionRow } from "../../src/domain/kernel/rows.ts";
import { planComment } from "../../src/domain/planning/plan-comment.ts";
import type { ApprovalRow } from "../../src/domain/questions/approval.ts";
import { approvalComment } from "../../src/domain/questions/approval.ts";
import { questionComment } from "../../src/domain/questions/question-comment.ts";
import { agentStatus } from "../../src/domain/status/agent-status.ts";
import { escalatedComment, limitComment } from "../../src/domain/status/comments.ts";
import { statusComment } from "../../src/domain/status/status-comment.ts";
import { troubleOf } from "../../src/domain/tasks/escalation.ts";
import { aQuestion } from "../factories/a-question.ts";
import { agentStatusFacts } from "../factories/agent-status-facts.ts";
import { AT, HOUR } from "../factories/moment.ts";
import { anAgent, aTask } from "../factories/records.ts";
import { LIMITS } from "../factories/some-settings.ts";
import { shown } from "./parts.ts";

const sleeper: AgentRecord = anAgent({
  state: "SLEEPING",
  sleepReason: "blocked",
  blockedBy: [41],
  turns: 6,
  toolCalls: 11,
  tokens: 25_900,
  costMicroUsd: 63_200,
});

const asleep: TransitionRow = {
  id: 1,
  at: AT - HOUR,
  machine: "agent",
  recordId: 11,
  agentId: 11,
  repositoryId: 7,
  issue: 42,
  actor: "agent",
  event: "BLOCKED",
  from: "ACTIVE",
  to: "SLEEPING",
  reason: "blocked: needs the table that #41 makes",
  evidence: null,
  delivery: null,
};

const asked: ApprovalRow = {
  id: 5,
  agentId: 11,
  token: 1,
  state: "asked",
  kind: "network",
  detail: "curl",
  tool: "bash",
  input: '{"command":"curl https://example.com/schema.json"}',
  hash: "0123456789abcdef",
  decidedBy: null,
  reason: null,
  createdAt: AT,
  decidedAt: null,
};

/** The parts of docs/for-maintainers.md: what the program really writes on GitHub. */
export const COMMENTS: Readonly<Record<string, string>> = {
  status: shown(
    statusComment({
      agents: [
        {
          agent: sleeper,
          limits: LIMITS,
          worksWith: null,
          page: null,
          status: agentStatus(sleeper, agentStatusFacts({ slept: asleep })),
        },
      ],
      goal: null,
      task: aTask(),
      queuePosition: null,
      decision: null,
      transitions: [asleep],
      command: null,
      archives: [],
      unlinked: [],
      checks: [],
    }),
  ),
  question: shown(questionComment("feat-dev", aQuestion({ defaultOption: "MIT" }))),
  escalation: shown(
    escalatedComment({
      role: "feat-dev",
      trouble: troubleOf("decision"),
      reason: "The issue asks for a licence that the company does not allow.",
      question: "Which licence may it have?",
      breaker: null,
      tried: ["read LICENSE", "searched the other repositories for a licence"],
      links: ["[branch](https://github.com/acme/shop/tree/flotilla/feat-dev/issue-42)"],
      notify: ["alice"],
      label: "needs-human",
    }),
  ),
  approval: shown(approvalComment("feat-dev", [asked])),
  plan: shown(
    planComment("feat-dev", {
      ...asked,
      kind: "plan",
      tool: "submit_plan",
      input: "1. Read the theme.\n2. Add a dark one.\n3. Test both.",
    }),
  ),
  limit: shown(
    limitComment({
      role: "feat-dev",
      breaker: "max_turns",
      detail: "50 of 50 turns and 122 of 200 tool calls are used",
      next: "`/flotilla continue [turns]` lets it continue, `/flotilla complete` takes the work as it is, `/flotilla cancel` ends it.",
    }),
  ),
};
