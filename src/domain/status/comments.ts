import type { Replanner } from "../agents/agent-event.ts";
import { UNIT_WORDS } from "../commands/budget-words.ts";
import { unitOf } from "../commands/extension.ts";
import { inARow, mentions } from "../messages/format.ts";
import { NOWHERE } from "../safe-text/inline.ts";
import { safeMarkdown } from "../safe-text/safe-markdown.ts";
import { acceptWorkStep } from "../tasks/accept-work-text.ts";

/** What people read on an issue. Every text says what happened, why, and what a person can do about it. */

/** Returns the comment about a block; `blocker` as people write it. */
export function blockedComment(options: { role: string; blocker: string; reason: string }): string {
  return [
    `**${options.role}** is blocked by ${options.blocker}. It resumes when ${options.blocker} closes, or when the agent working on ${options.blocker} finishes with no open pull request.`,
    "",
    quote(options.reason),
  ].join("\n");
}

/** Returns the comment when a person must act, with the reason as given. */
export function escalatedComment(options: {
  role: string;
  /** What kind of trouble it is, as `troubleOf` says it; null where only the reason does. */
  trouble: string | null;
  reason: string;
  question: string | null;
  breaker: string | null;
  /** The agent's last steps, one line each, and where its work can be seen. */
  tried: readonly string[];
  links: readonly string[];
  notify: readonly string[];
  label: string;
  /** How a person accepts the work as it is. */
  acceptStep?: string;
  /** Who can replan the task, where the agent reported that it needs that. */
  replanner?: Replanner | undefined;
  /** Only after a review deadlock. */
  deadlock?: Deadlock;
}): string {
  return [
    headline(options),
    "",
    quote(options.reason),
    ...(options.question === null ? [] : ["", "**Question**", "", quote(options.question)]),
    ...(options.breaker === null ? [] : ["", stoppedBy(options.breaker)]),
    ...(options.tried.length === 0
      ? []
      : ["", "**Its last steps**", "", ...options.tried.map((step) => `- ${step}`)]),
    ...(options.links.length === 0 ? [] : ["", `Its work: ${options.links.join(", ")}.`]),
    "",
    ...(options.replanner === undefined
      ? stepsAfterEscalation(options)
      : stepsToReplan(options, options.replanner)),
  ].join("\n");
}

/** Returns the first line. Where a planner handles the task first, no person is mentioned. */
function headline({
  role,
  trouble,
  notify,
  replanner,
}: {
  readonly role: string;
  readonly trouble: string | null;
  readonly notify: readonly string[];
  readonly replanner?: Replanner | undefined;
}): string {
  if (replanner === undefined)
    return `**${role}** needs a person${trouble === null ? "" : `: ${trouble}`}.${mentions(notify)}`;
  const { agent } = replanner;
  const says = `**${role}** says that its task needs replanning.`;
  return agent === null
    ? `${says} It needs a person.${mentions(notify)}`
    : `${says} \`${agent.name}\` on #${agent.issue} has been asked to replan it; you can do that as well.`;
}

function stepsAfterEscalation({
  role,
  label,
  acceptStep = acceptWorkStep(null, []),
  deadlock,
}: {
  readonly role: string;
  readonly label: string;
  readonly acceptStep?: string;
  readonly deadlock?: Deadlock;
}): readonly string[] {
  return [
    "**What you can do**",
    "",
    ...(deadlock === undefined
      ? [
          `- answer in a comment, remove the label \`${label}\`, or say \`/flotilla resume\`: ${role} continues on the same branch`,
          `- ${acceptStep}`,
          "- `/flotilla retry` starts a new attempt",
        ]
      : waysOutOfDeadlock(deadlock)),
    "- `/flotilla cancel` ends it; its branch is kept",
  ];
}

function stepsToReplan(
  { role, label }: { readonly role: string; readonly label: string },
  { agent, role: planner }: Replanner,
): readonly string[] {
  return [
    "**What you can do**",
    "",
    `- comment with new instructions, or remove the label \`${label}\`: ${role} continues on the same branch`,
    "- edit the issue, then say `/flotilla retry` to start a new attempt",
    ...(planner === null || agent !== null
      ? []
      : [`- \`/flotilla start ${planner}\` has **${planner}** replan it`]),
    "- `/flotilla cancel` gives the task up; the branch is kept",
  ];
}

interface Deadlock {
  /** `review.max_cycles`. */
  readonly rounds: number;
  readonly pull: number | null;
  /** The coder has ended, so that a comment does not reach it. */
  readonly ended: boolean;
}

function waysOutOfDeadlock({ rounds, pull, ended }: Deadlock): readonly string[] {
  const more = `${rounds} more ${rounds === 1 ? "round" : "rounds"} of review`;
  return [
    ...(ended
      ? []
      : [`- comment here what it should do differently: it continues with that, and with ${more}`]),
    `- \`/flotilla resume\` lets it continue with ${more}, \`/flotilla resume <number>\` with that many`,
    "- `/flotilla retry` starts a new attempt from the base branch",
    ...(pull === null ? [] : [`- merge #${pull} if it is good as it is`]),
  ];
}

/** Returns why a person is asked after the last round of review. */
export function deadlockReason(times: number, last: string | null): string {
  return `its work was rejected ${inARow(times)}. The last reason: ${last}`;
}

/** Returns the limit and, if a person can raise it, the command for that. */
function stoppedBy(breaker: string): string {
  if (breaker === "max_bounces") return "It used all its attempts to show that the work is done.";
  const unit = unitOf(breaker);
  const stopped = `It reached the limit \`${breaker}\`.`;
  if (unit === null) return stopped;
  return `${stopped} \`/flotilla resume\` extends the limit by 50 %, at most twice; \`/flotilla budget +N\` adds N ${UNIT_WORDS[unit]}.`;
}

export function limitComment(options: {
  role: string;
  breaker: string;
  detail: string;
  next: string;
}): string {
  return [
    `**${options.role}** stopped at the limit \`${options.breaker}\`: ${options.detail}.`,
    "",
    options.next,
  ].join("\n");
}

export function failedComment(options: {
  role: string;
  reason: string;
  breaker: string | null;
  notify: readonly string[];
  /** The host begins one new attempt by itself. */
  again: boolean;
  /** The command that makes a new attempt. */
  retry: string;
}): string {
  const limit = options.breaker === null ? "" : ` at the limit \`${options.breaker}\``;
  return [
    `**${options.role}** failed${limit}.${mentions(options.notify)}`,
    "",
    quote(options.reason),
    "",
    options.again
      ? "Its branch is kept. Flotilla retries once automatically in about 5 minutes. `/flotilla retry` starts it now, `/flotilla cancel` stops it."
      : `Its branch is kept. ${options.retry} starts a new attempt.`,
  ].join("\n");
}

export function completedComment(options: {
  role: string;
  summary: string;
  prNumber: number | null;
}): string {
  const pull = options.prNumber === null ? "" : ` Pull request: #${options.prNumber}.`;
  return [`**${options.role}** completed its work.${pull}`, "", quote(options.summary)].join("\n");
}

/** Returns the comment that somebody else pushed to the agent's branch; `why` says who and what. */
export function foreignCommitComment(options: { role: string; why: string }): string {
  return [
    `**${options.role}** is paused: ${options.why}. Flotilla does not push over these commits, and keeps what the agent had not pushed.`,
    "",
    "`/flotilla resume` continues its work on top of those commits. `/flotilla release` ends it and leaves the issue and the branch to you.",
  ].join("\n");
}

export function cancelledComment(options: {
  role: string;
  actor: string;
  why: string;
  branch: string | null;
  /** The command that makes a new attempt; null where none is to be suggested. */
  retry: string | null;
}): string {
  const retry = options.retry === null ? "" : ` ${options.retry} starts a new attempt.`;
  const branch = options.branch === null ? "" : ` The branch \`${options.branch}\` is kept.`;
  return `${person(options.actor)} ended **${options.role}**: ${options.why}.${branch}${retry}`;
}

/** Returns untrusted text as a quote, so that none of its lines reads as ours or as a command. */
export function quote(text: string): string {
  return safeMarkdown(text.trim(), NOWHERE)
    .trim()
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}

function person(actor: string): string {
  if (actor === "flotilla") return "Flotilla";
  // A login contains no colon. The operator's account name is not shown on GitHub.
  return actor.startsWith("operator:") ? "The operator" : `@${actor}`;
}
