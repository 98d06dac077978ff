import { agentKey, roleOfName } from "../../domain/agents/agent-key.ts";
import { type AgentRecord, isLive, isOnPull } from "../../domain/agents/agent-record.ts";
import { isResumable } from "../../domain/breakers/hold.ts";
import { type GrantUnit, mustBeGranted, unitOf } from "../../domain/commands/extension.ts";
import { riskAboveOf } from "../../domain/merge-queue/risk-above.ts";
import { moment } from "../../domain/messages/format.ts";
import type { AroundAgent, WaitsForPerson } from "../../domain/ports/lists.ts";
import { isUsedLater, riskText } from "../../domain/questions/approval.ts";
import type { QuestionRow } from "../../domain/questions/question.ts";
import { isHeldByPeople } from "../../domain/status/needs-human.ts";
import { DEADLOCK, REPLANNING } from "../../domain/tasks/escalation.ts";
import { nextOfWork, workStands } from "../../domain/tasks/next-of-work.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";
import { workReason } from "../../domain/tasks/work-reason.ts";
import { type AgentView, type SeenAgent, usd } from "./agent-view.ts";

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
  /** The call that a person can approve or deny here, or null. `undo`: an approval can be taken back until it is used. */
  readonly approval: {
    readonly id: number;
    readonly tool: string;
    readonly input: string;
    readonly undo: boolean;
  } | null;
  /** The question that a person can answer here. */
  readonly question?: AskedHere;
  /** The limit that a continue raises. */
  readonly raise?: Raise;
  /** The role that can take up the work where no agent does. */
  readonly start?: { readonly role: string };
  /** The pull request that a person merges; `here` = Flotilla may do it for them, otherwise they do it on GitHub. */
  readonly merge?: { readonly pull: number; readonly here: boolean };
}

/** A question with what a person may choose; any other text is an answer as well. */
interface AskedHere {
  readonly id: number;
  readonly options: readonly {
    readonly name: string;
    readonly recommended: boolean;
    /** What follows cannot be undone. */
    readonly destructive: boolean;
  }[];
}

/** The limit that stopped an agent, in the unit in which people raise it. */
interface Raise {
  readonly what: "turns" | "tool calls" | "wake-ups" | "tokens" | "dollars" | "minutes";
  /** What is granted without a number; null where it depends. */
  readonly usual: number | null;
  /** True where only a number lets the agent continue. */
  readonly required: boolean;
}

type Words = Pick<WaitingItem, "kind" | "what" | "next" | "url"> & Partial<WaitingItem>;

/** Returns what this agent needs from a person; nothing for an agent that continues by itself. */
export function waitingOf({ agent, around, view, merges, mayMerge }: SeenAgent): readonly WaitingItem[] {
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
  if (agent.state === "ESCALATED") {
    const raise = agent.category === DEADLOCK ? null : raiseOf(agent, view);
    return [
      item({
        ...here,
        kind: "escalation",
        ...(agent.category === DEADLOCK ? { rounds: true as const } : {}),
        ...(raise === null ? {} : { raise }),
        acts: [
          raise === null ? "resume" : "continue",
          ...(agent.category === REPLANNING || agent.category === DEADLOCK || around.isRejected
            ? []
            : ["complete" as const]),
          // A new attempt on a person's pull request needs a new request.
          ...(isOnPull(agent) ? [] : ["retry" as const]),
          "kill",
        ],
      }),
    ];
  }
  if (agent.state !== "SLEEPING") return [];
  switch (agent.sleepReason) {
    case "question":
      return questionsOf(around, view).map(item);
    case "approval":
      return approvalsOf(agent, around, view).map((words) => item({ ...here, ...words }));
    case "review":
      return reviewOf(around, view, { merges, mayMerge }).map((words) => item({ ...here, ...words }));
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
  {
    repository,
    site,
    mayMerge,
  }: { readonly repository: string; readonly site: string; readonly mayMerge: boolean },
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
    ...(TAKEN_UP.includes(kind) && endedCoder !== null ? { start: { role: roleOfName(endedCoder) } } : {}),
    ...(kind === "merge" && pull !== null ? { merge: { pull, here: mayMerge } } : {}),
    acts,
    ...(isDeadlock ? { rounds: true as const } : {}),
    approval: null,
  };
}

/** Work that a start continues, with the last coder's role. */
const TAKEN_UP: readonly WaitingItem["kind"][] = ["rejected", "unmerged", "blocked"];

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

function reviewOf(
  { task, isReviewed }: AroundAgent,
  view: AgentView,
  { merges, mayMerge }: Pick<SeenAgent, "merges" | "mayMerge">,
) {
  const isDue = task === "APPROVED" ? !merges : (task === null || task === "READY_FOR_REVIEW") && !isReviewed;
  const kind: WaitingItem["kind"] = task === "APPROVED" ? "merge" : "review";
  const merge = kind === "merge" && view.pr !== null ? { merge: { pull: view.pr, here: mayMerge } } : {};
  return isDue ? [{ kind, url: view.pull_url ?? view.issue_url, ...merge }] : [];
}

function questionsOf({ questions }: AroundAgent, view: AgentView) {
  return questions.map((question) => ({
    kind: "question" as const,
    since: new Date(question.createdAt).toISOString(),
    what: question.text,
    next: nextOf(question),
    question: {
      id: question.id,
      options: question.options.map(({ name, destructive }) => ({
        name,
        destructive,
        recommended: name === question.recommended,
      })),
    },
    url:
      question.commentId === null ? view.issue_url : `${view.issue_url}#issuecomment-${question.commentId}`,
  }));
}

function nextOf({ options, defaultOption, deadlineAt, state }: QuestionRow): string {
  const how = options.length === 0 ? "Write an answer." : "Choose one, or write an answer.";
  if (state !== "OPEN") return how;
  const then = defaultOption === null ? "this escalates" : `the agent takes \`${defaultOption}\``;
  return `${how} If none comes by ${moment(deadlineAt)}, ${then}.`;
}

const UNITS: Readonly<Record<GrantUnit, Raise["what"]>> = {
  turns: "turns",
  toolCalls: "tool calls",
  wakes: "wake-ups",
  tokens: "tokens",
  costMicroUsd: "dollars",
  activeMs: "minutes",
};

const half = (whole: number): number => Math.ceil(whole / 2);

/** Returns the limit that a continue raises; null where none stopped the agent, or none that can be raised. */
function raiseOf(agent: AgentRecord, { allowed }: AgentView): Raise | null {
  const unit = unitOf(agent.breaker);
  if (unit === null) return null;
  // Without a number a person grants the turns of the role again, and half of any other limit.
  const usual: Readonly<Record<GrantUnit, number | null>> = {
    turns: allowed.turns - agent.extraTurns,
    toolCalls: half(allowed.tool_calls - agent.extraToolCalls),
    tokens: half(allowed.tokens - agent.extraTokens),
    costMicroUsd: allowed.cost_usd === null ? null : (allowed.cost_usd - usd(agent.extraCostMicroUsd)) / 2,
    wakes: null,
    activeMs: null,
  };
  return { what: UNITS[unit], usual: usual[unit], required: unit !== "turns" && mustBeGranted(agent) };
}

function approvalsOf(
  agent: AgentRecord,
  { approvals, isRejected }: AroundAgent,
  view: AgentView,
): readonly (Pick<WaitingItem, "kind"> & Partial<WaitingItem>)[] {
  if (approvals.length === 0) {
    if (agent.breaker === null) return [];
    const raise = raiseOf(agent, view);
    const acts: WaitingItem["acts"] = ["continue", ...(isRejected ? [] : ["complete" as const]), "kill"];
    return agent.breaker === "max_turns" && raise !== null
      ? [
          {
            kind: "turns",
            what: `It has used ${view.turns} of its ${view.allowed.turns} turns.`,
            raise,
            acts,
          },
        ]
      : [{ kind: "limit", ...(raise === null ? {} : { raise }), acts }];
  }
  return approvals.map((row) => ({
    kind: row.kind === "plan" ? "plan" : "approval",
    since: new Date(row.createdAt).toISOString(),
    what:
      row.kind === "plan"
        ? "A person must approve its plan before it starts the work."
        : `It asks to call \`${row.tool}\`: ${riskText(row)}.`,
    next: "Approve or deny it, here or on the issue.",
    approval: { id: row.id, tool: row.tool, input: row.input, undo: isUsedLater(row) },
  }));
}
