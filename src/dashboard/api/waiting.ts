import { agentKey } from "../../domain/agents/agent-key.ts";
import { type AgentRecord, isLive } from "../../domain/agents/agent-record.ts";
import { isResumable } from "../../domain/breakers/hold.ts";
import { mustBeGranted } from "../../domain/commands/extension.ts";
import { riskAboveOf } from "../../domain/merge-queue/risk-above.ts";
import type { AroundAgent, WaitsForPerson } from "../../domain/ports/lists.ts";
import { riskText } from "../../domain/questions/approval.ts";
import { isHeldByPeople } from "../../domain/status/needs-human.ts";
import { DEADLOCK, REPLANNING } from "../../domain/tasks/escalation.ts";
import { nextOfWork, workStands } from "../../domain/tasks/next-of-work.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";
import { workReason } from "../../domain/tasks/work-reason.ts";
import type { AgentView, SeenAgent } from "./agent-view.ts";

/** Something that needs a person to continue, or to continue sooner, and what the person can do. */
export interface WaitingItem {
  readonly kind:
    | "escalation"
    | "question"
    | "approval"
    | "plan"
    | "limit"
    | "turns"
    | "review"
    | "merge"
    | "rejected"
    | "blocked"
    | "deadlock"
    | "unmerged"
    | "pause"
    | "error";
  readonly since: string;
  readonly repository: string;
  readonly issue: number;
  readonly title: string | null;
  /** Null if no agent works on the task. */
  readonly agent: AgentView | null;
  /** What the person reads: the reason, the question or the call. */
  readonly what: string;
  /** What the person can do. */
  readonly next: string;
  /** Address on GitHub. */
  readonly url: string;
  /** If no agent works on the task: the key of the coder that held it last. `acts` then apply to that coder. */
  readonly coder?: string;
  /** Operations on the agent that the page offers, in addition to an approval. */
  readonly acts: readonly ("resume" | "retry" | "continue" | "complete" | "kill")[];
  /** True if resume accepts a number of review rounds. */
  readonly rounds?: true;
  /** The call that a person can approve or deny here, or null. */
  readonly approval: { readonly id: number; readonly tool: string; readonly input: string } | null;
}

type Words = Pick<WaitingItem, "kind" | "what" | "next" | "url"> & Partial<WaitingItem>;

/** Returns what this agent needs from a person; nothing for an agent that continues by itself. */
export function waitingOf({ agent, around, view, merges }: SeenAgent): readonly WaitingItem[] {
  const item = (words: Words): WaitingItem => ({
    agent: view,
    since: view.since,
    repository: view.repository,
    issue: view.issue,
    title: view.title,
    approval: null,
    acts: [],
    ...words,
  });
  const here = { url: view.issue_url, what: sentence(view.now), next: sentence(view.next) };
  const { holds } = around;
  const isPaused = agent.state === "SLEEPING" && agent.sleepReason === "paused";
  if (isLive(agent) && agent.state !== "ACTIVE" && (isHeldByPeople(agent) || isPaused))
    return [item({ ...here, kind: "pause", acts: holds.some(isResumable) ? ["resume"] : [] })];
  if (agent.state === "ESCALATED")
    return [
      item({
        ...here,
        kind: "escalation",
        ...(agent.category === DEADLOCK ? { rounds: true as const } : {}),
        acts: [
          ...(mustBeGranted(agent) ? [] : ["resume" as const]),
          ...(agent.category === REPLANNING || agent.category === DEADLOCK || around.isRejected
            ? []
            : ["complete" as const]),
          "retry",
          "kill",
        ],
      }),
    ];
  if (agent.state !== "SLEEPING") return [];
  switch (agent.sleepReason) {
    case "question":
      return questionsOf(around, view).map(item);
    case "approval":
      return approvalsOf(agent, around, view).map((words) => item({ ...here, ...words }));
    case "review":
      return reviewOf(around, view, merges).map((words) => item({ ...here, ...words }));
    case "retry":
    case "provider_limit":
      return [item({ ...here, kind: "error", acts: ["retry"] })];
    default:
      return [];
  }
}

/** Turns a text of the domain into a sentence. */
function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`;
}

/** Describes a task that waits for a person while no agent works on it. */
export function waitingTask(
  { task, pull, endedCoder, since }: Extract<WaitsForPerson, { readonly task: unknown }>,
  repository: string,
  site: string,
): WaitingItem {
  const home = `${site}/${repository}`;
  const issueUrl = `${home}/issues/${task.issue}`;
  const pullUrl = pull === null ? issueUrl : `${home}/pull/${pull}`;
  const next = sentence(
    nextOfWork(task.state, {
      pull,
      isReviewed: false,
      blockedReason: task.blockedReason,
      hasCoder: false,
      riskAbove: riskAboveOf(task),
    }),
  );
  const kind = kindOf(task);
  const isDeadlock = kind === "deadlock";
  const acts: WaitingItem["acts"] =
    task.state !== "BLOCKED" || endedCoder === null ? [] : isDeadlock ? ["resume", "kill"] : ["kill"];
  return {
    kind,
    since: new Date(since).toISOString(),
    repository,
    issue: task.issue,
    title: task.title,
    agent: null,
    ...(endedCoder === null ? {} : { coder: agentKey(repository, endedCoder) }),
    what: sentence(workReason(task) ?? workStands(task.state, pull)),
    next,
    url: task.state === "BLOCKED" ? issueUrl : pullUrl,
    acts,
    ...(isDeadlock ? { rounds: true as const } : {}),
    approval: null,
  };
}

function kindOf({ state, blockedReason }: TaskRecord): WaitingItem["kind"] {
  switch (state) {
    case "BLOCKED":
      return blockedReason === DEADLOCK ? "deadlock" : "blocked";
    case "INTEGRATION_FAILED":
      return "unmerged";
    case "REJECTED":
      return "rejected";
    case "APPROVED":
      return "merge";
    default:
      return "review";
  }
}

function reviewOf({ task, isReviewed }: AroundAgent, view: AgentView, merges: boolean) {
  const isDue = task === "APPROVED" ? !merges : (task === null || task === "READY_FOR_REVIEW") && !isReviewed;
  const kind: WaitingItem["kind"] = task === "APPROVED" ? "merge" : "review";
  return isDue ? [{ kind, url: view.pull_url ?? view.issue_url }] : [];
}

function questionsOf({ questions }: AroundAgent, view: AgentView) {
  return questions.map((question) => ({
    kind: "question" as const,
    since: new Date(question.createdAt).toISOString(),
    what: question.text,
    next: nextOf(question.options.map(({ name }) => name)),
    url:
      question.commentId === null ? view.issue_url : `${view.issue_url}#issuecomment-${question.commentId}`,
  }));
}

function nextOf(options: readonly string[]): string {
  return options.length === 0 ? "Answer the comment." : `Answer the comment: ${options.join(", ")}.`;
}

function approvalsOf(
  agent: AgentRecord,
  { approvals, isRejected }: AroundAgent,
  view: AgentView,
): readonly (Pick<WaitingItem, "kind"> & Partial<WaitingItem>)[] {
  if (approvals.length === 0)
    return agent.breaker === "max_turns"
      ? [
          {
            kind: "turns",
            what: `It has used ${view.turns} of its ${view.allowed.turns} turns.`,
            acts: ["continue", ...(isRejected ? [] : ["complete" as const]), "kill"],
          },
        ]
      : agent.breaker === null
        ? []
        : [{ kind: "limit" }];
  return approvals.map((row) => ({
    kind: row.kind === "plan" ? "plan" : "approval",
    since: new Date(row.createdAt).toISOString(),
    what:
      row.kind === "plan"
        ? "A person must approve its plan before it starts the work."
        : `${row.tool}: ${riskText(row)}.`,
    next: "Approve or deny it, here or on the issue.",
    approval: { id: row.id, tool: row.tool, input: row.input },
  }));
}
