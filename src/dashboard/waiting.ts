import { riskText } from "../core/approval.ts";
import { holdEnds, holdText, isResumable } from "../core/hold.ts";
import { isInError } from "../core/machines/own-wake.ts";
import type { AroundAgent } from "../core/ports/lists.ts";
import type { AgentView, SeenAgent } from "./agent-view.ts";

/** Something that goes on only when a person has done something, or sooner then, and what that is. */
export interface WaitingItem {
  readonly kind: "escalation" | "question" | "approval" | "limit" | "review" | "pause" | "error";
  readonly since: string;
  readonly agent: AgentView;
  /** What the person is told: the reason, the question, the call. */
  readonly what: string;
  /** What they can do. */
  readonly next: string;
  /** Where on GitHub. */
  readonly url: string;
  /** Whether a resume does something. */
  readonly resume: boolean;
  /** The call that can be approved or denied here, or null. */
  readonly approval: { readonly id: number; readonly tool: string; readonly input: string } | null;
}

/** What this agent waits for and a person can change; nothing for one at work, or one that waits for other issues. */
export function waitingOf({ agent, around, view }: SeenAgent): readonly WaitingItem[] {
  const item = (
    rest: Omit<WaitingItem, "agent" | "since" | "approval" | "resume"> & Partial<WaitingItem>,
  ) => ({
    agent: view,
    since: view.since,
    approval: null,
    resume: false,
    ...rest,
  });
  const here = { url: view.issue_url };
  const { holds } = around;
  if (
    agent.heldBy.some((holder) => holder === "person" || holder === "invariant") ||
    (agent.state === "SLEEPING" && agent.sleepReason === "paused")
  )
    return [
      item({
        ...here,
        kind: "pause",
        what: holds.length === 0 ? "It is paused, and goes on by itself." : `${holdText(holds)}.`,
        next: holds.every(({ by }) => by === "person" || by === "commit")
          ? "Resume it, or cancel it."
          : `${holdEnds(holds)}.`,
        resume: holds.some(isResumable),
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
        resume: true,
      }),
    ];
  if (agent.state !== "SLEEPING") return [];
  if (isInError(agent))
    return [
      item({
        ...here,
        kind: "error",
        what: view.waits_for ?? "It waits after an error.",
        next: "Nothing has to be done: it tries again by itself. Retry tries at once.",
      }),
    ];
  if (agent.sleepReason === "question") return questionsOf(around, view).map(item);
  if (agent.sleepReason === "approval") return approvalsOf(around, view).map(item);
  if (agent.sleepReason === "review" && !around.isReviewed)
    return [
      item({
        kind: "review",
        what:
          view.pr === null ? "Its work waits for a review." : `Pull request #${view.pr} waits for a review.`,
        next: "Review the pull request on GitHub.",
        url: view.pull_url ?? view.issue_url,
      }),
    ];
  return [];
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

function approvalsOf({ approvals }: AroundAgent, view: AgentView) {
  if (approvals.length === 0)
    return [
      {
        kind: "limit" as const,
        what: view.waits_for ?? "It waits at a limit.",
        next: "Say /flotilla continue, budget or complete on the issue.",
        url: view.issue_url,
      },
    ];
  return approvals.map((row) => ({
    kind: "approval" as const,
    since: new Date(row.createdAt).toISOString(),
    what: row.kind === "plan" ? "Its plan comes before the work." : `${row.tool}: ${riskText(row)}.`,
    next: "Approve or deny it, here or on the issue.",
    url: view.issue_url,
    approval: { id: row.id, tool: row.tool, input: row.input },
  }));
}
