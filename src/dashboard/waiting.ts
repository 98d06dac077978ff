import { riskText } from "../core/approval.ts";
import { DEADLOCK, OUT_OF_DEADLOCK } from "../core/escalation.ts";
import { holdEnds, holdText, isResumable } from "../core/hold.ts";
import { type AgentRecord, isLive } from "../core/machines/agent-record.ts";
import type { TaskState } from "../core/machines/task.ts";
import { isHeldByPeople } from "../core/needs-human.ts";
import type { AroundAgent, WaitsForPerson } from "../core/ports/lists.ts";
import type { AgentView, SeenAgent } from "./agent-view.ts";

/** Something that goes on only, or sooner, when a person has done something, and what that is. */
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
    | "blocked"
    | "pause"
    | "error";
  readonly since: string;
  readonly repository: string;
  readonly issue: number;
  readonly title: string | null;
  /** Null for work that no agent is at. */
  readonly agent: AgentView | null;
  /** What the person reads: the reason, the question, the call. */
  readonly what: string;
  /** What they can do. */
  readonly next: string;
  /** Where on GitHub. */
  readonly url: string;
  /** What can be done here, beside an approval: operations on the agent. */
  readonly acts: readonly ("resume" | "retry" | "continue" | "complete" | "kill")[];
  /** The call that can be approved or denied here, or null. */
  readonly approval: { readonly id: number; readonly tool: string; readonly input: string } | null;
}

type Words = Pick<WaitingItem, "kind" | "what" | "next" | "url"> & Partial<WaitingItem>;

/** What this agent waits for from a person; nothing for one that goes on by itself. */
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
  const here = { url: view.issue_url };
  const { holds } = around;
  const isPaused = agent.state === "SLEEPING" && agent.sleepReason === "paused";
  if (isLive(agent) && agent.state !== "ACTIVE" && (isHeldByPeople(agent) || isPaused))
    return [
      item({
        ...here,
        kind: "pause",
        what: holds.length === 0 ? "It is paused, and goes on by itself." : `${holdText(holds)}.`,
        next: holds.every(({ by }) => by === "person" || by === "commit")
          ? "Resume it, or cancel it."
          : `${holdEnds(holds)}.`,
        acts: holds.some(isResumable) ? ["resume"] : [],
      }),
    ];
  if (agent.state === "ESCALATED")
    return [
      item({
        ...here,
        kind: "escalation",
        what: agent.reason ?? "It needs a person.",
        next: [
          "Answer on the issue; or say resume, complete, retry or cancel there.",
          ...(holds.length === 0 ? [] : [`It goes on only then: ${holdText(holds)}; ${holdEnds(holds)}.`]),
        ].join(" "),
        acts: ["resume"],
      }),
    ];
  if (agent.state !== "SLEEPING") return [];
  switch (agent.sleepReason) {
    case "question":
      return questionsOf(around, view).map(item);
    case "approval":
      return approvalsOf(agent, around, view).map(item);
    case "review":
      return reviewOf(around, view, merges).map(item);
    case "retry":
    case "provider_limit":
      return [
        item({
          ...here,
          kind: "error",
          what: view.waits_for ?? "It waits after an error.",
          next: "Nothing has to be done: it tries again by itself. Retry tries at once.",
          acts: ["retry"],
        }),
      ];
    default:
      return [];
  }
}

/** What work waits for that no agent is at. */
export function waitingTask(
  { task, pull, since }: Extract<WaitsForPerson, { readonly task: unknown }>,
  repository: string,
  site: string,
): WaitingItem {
  const home = `${site}/${repository}`;
  const issueUrl = `${home}/issues/${task.issue}`;
  const pullUrl = pull === null ? issueUrl : `${home}/pull/${pull}`;
  const words: Words =
    task.state === "BLOCKED"
      ? {
          kind: "blocked",
          what: task.blockedReason ?? "It needs a new plan.",
          next:
            task.blockedReason === DEADLOCK
              ? `On the issue: ${OUT_OF_DEADLOCK}.`
              : "Change the issue if it asks for the wrong thing, then say `/flotilla start` on it.",
          url: issueUrl,
        }
      : { ...lookAt(task.state, pull), url: pullUrl };
  return {
    since: new Date(since).toISOString(),
    repository,
    issue: task.issue,
    title: task.title,
    agent: null,
    acts: [],
    approval: null,
    ...words,
  };
}

/** What a person does with work that is done: review it, or merge it where it is approved. */
function lookAt(state: TaskState | null, pull: number | null): Pick<WaitingItem, "kind" | "what" | "next"> {
  const work = pull === null ? "Its work" : `Pull request #${pull}`;
  return state === "APPROVED"
    ? {
        kind: "merge",
        what: `${work} is approved and waits for its merge.`,
        next: "Merge the pull request on GitHub.",
      }
    : {
        kind: "review",
        what: `${work} waits for a review.`,
        next: "Review the pull request on GitHub.",
      };
}

function reviewOf({ task, isReviewed }: AroundAgent, view: AgentView, merges: boolean) {
  const isDue = task === "APPROVED" ? !merges : (task === null || task === "READY_FOR_REVIEW") && !isReviewed;
  if (!isDue) return [];
  return [{ ...lookAt(task, view.pr), url: view.pull_url ?? view.issue_url }];
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

function approvalsOf(agent: AgentRecord, { approvals }: AroundAgent, view: AgentView): readonly Words[] {
  if (approvals.length === 0 && agent.breaker === "max_turns")
    return [
      {
        kind: "turns",
        what: `It has used ${view.turns} of its ${view.allowed.turns} turns.`,
        next: "Let it continue with more turns, take what it has done as complete, or abort it.",
        url: view.issue_url,
        acts: ["continue", "complete", "kill"],
      },
    ];
  if (approvals.length === 0)
    return [
      {
        kind: "limit",
        what: view.waits_for ?? "It waits at a limit.",
        next: "Say /flotilla continue, budget or complete on the issue.",
        url: view.issue_url,
      },
    ];
  return approvals.map((row) => ({
    kind: row.kind === "plan" ? "plan" : "approval",
    since: new Date(row.createdAt).toISOString(),
    what: row.kind === "plan" ? "Its plan comes before the work." : `${row.tool}: ${riskText(row)}.`,
    next: "Approve or deny it, here or on the issue.",
    url: view.issue_url,
    approval: { id: row.id, tool: row.tool, input: row.input },
  }));
}
