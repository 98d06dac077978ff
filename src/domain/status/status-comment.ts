import { type AgentPage, pageLines } from "../agents/agent-page.ts";
import { type AgentRecord, isOnPull } from "../agents/agent-record.ts";
import { agentsToShow } from "../agents/agents-to-show.ts";
import { enteredStateAt } from "../agents/entered-state-at.ts";
import { blockedByLines } from "../blockers/blocked-by-lines.ts";
import type { IssueRef } from "../blockers/blockers.ts";
import { type Allowance, allowanceOf } from "../breakers/allowance.ts";
import type { Limits } from "../breakers/limits.ts";
import { dollars } from "../breakers/money.ts";
import { decisionText } from "../kernel/decision-text.ts";
import type { DecisionRow, TransitionRow } from "../kernel/rows.ts";
import { mergeQueueText } from "../merge-queue/merge-text.ts";
import { duration, moment, oneLine } from "../messages/format.ts";
import { inlineCode } from "../messages/inline-code.ts";
import { type GoalFacts, goalProgress } from "../planning/goal-progress.ts";
import { safeLine } from "../safe-text/inline.ts";
import type { ArchiveRow } from "../tasks/archive.ts";
import { archivesShown } from "../tasks/archive-text.ts";
import { workFactsOf } from "../tasks/next-of-work.ts";
import { taskFacts } from "../tasks/task-facts.ts";
import type { TaskRecord } from "../tasks/task-record.ts";
import type { AgentStatus } from "./agent-status.ts";
import { quote } from "./comments.ts";
import { headline } from "./headline.ts";
import { type CommandFacts, lastCommand } from "./last-command.ts";
import { lastTransitions } from "./last-transitions.ts";

export interface AgentFacts {
  readonly agent: AgentRecord;
  readonly limits: Limits;
  /** Its runtime and model, where there is more than one runtime. */
  readonly worksWith: string | null;
  readonly page: AgentPage | null;
  readonly status: AgentStatus;
}

/** What an acceptance command has returned; null where a signal or its time limit ended it. */
interface Check {
  readonly command: string;
  readonly exitCode: number | null;
}

interface StatusFacts {
  readonly agents: readonly AgentFacts[];
  /** The goal that the issue tracks. */
  readonly goal: GoalFacts | null;
  /** The issue's newest task, which may have ended. */
  readonly task: TaskRecord | null;
  /** The task's position in the merge queue; null when it is not in one. */
  readonly queuePosition: {
    readonly place: number;
    readonly of: number;
    readonly ahead: number | null;
  } | null;
  /** The acceptance commands that Flotilla ran on the task's commit under review, in order. */
  readonly checks: readonly Check[];
  /** It stands on a person's pull request. */
  readonly isPull?: boolean;
  /** The newest decision that still holds. */
  readonly decision: DecisionRow | null;
  /** The last ten moves of the issue, the oldest first. */
  readonly transitions: readonly TransitionRow[];
  readonly command: CommandFacts | null;
  readonly archives: readonly ArchiveRow[];
  /** What blocks the issue, where GitHub keeps no dependencies. */
  readonly unlinked: readonly (IssueRef & { readonly open: boolean })[];
}

/**
 * Returns the one comment of an issue that is edited in place. It begins with how the issue stands and what its reader can
 * do; who works, since when, and what it used is folded below. It contains times and no durations, so that it changes only when something has happened.
 */
export function statusComment(facts: StatusFacts): string {
  const newest = facts.agents.toSorted((left, right) => right.agent.id - left.agent.id);
  const rows = newest.map((each) => {
    const { agent, status } = each;
    const pull = agent.prNumber === null ? "" : `#${agent.prNumber}`;
    const name = each.page === null ? nameOf(agent) : `[${nameOf(agent)}](${each.page.url})`;
    return `| ${name} | **${agent.state}** | ${oneLine(status.now)} | ${moment(enteredStateAt(agent))} | ${pull} |`;
  });
  const table =
    rows.length === 0
      ? [`No agent works on this ${facts.isPull ? "pull request" : "issue"}.`]
      : ["| role | state | now | since | pull request |", "|---|---|---|---|---|", ...rows];
  const shown = agentsToShow(newest);
  const next = shown.flatMap(({ agent, status }) => [
    "",
    `Next in the work of ${nameOf(agent)}: ${safeLine(status.next)}.`,
  ]);
  const budget = shown.flatMap(({ agent, limits, worksWith }) => [
    "",
    `Usage of ${nameOf(agent)}: ${usedBudget(agent, limits)}.${worksWith === null ? "" : ` It works with ${safeLine(worksWith)}.`}`,
  ]);
  const inQueue = facts.queuePosition === null ? "" : `; ${mergeQueueText(facts.queuePosition)}`;
  const task =
    facts.task === null
      ? []
      : [
          "",
          `${taskFacts(facts.task, {
            ...workFactsOf(
              facts.task,
              newest.map(({ agent }) => agent),
            ),
            merging: facts.queuePosition,
          })}${inQueue}`,
        ];
  const details = [
    ...table,
    ...next,
    ...budget,
    ...task,
    ...decided(facts.decision),
    ...archivesShown(
      newest.map(({ agent }) => agent),
      facts.archives,
    ),
    ...lastTransitions(facts.transitions),
  ];
  return [
    "### Flotilla",
    "",
    headline({ ...facts, agents: newest, merging: facts.queuePosition }),
    ...pageLines(pageShown(newest)),
    "",
    ...finished(newest, facts),
    ...goalProgress(facts.goal),
    ...unlinkedList(facts.unlinked),
    ...lastCommand(facts.command),
    "<details><summary>Agents, limits and history</summary>",
    "",
    ...details,
    "",
    "</details>",
    "",
    facts.isPull ? PULL_FOOTER : footer,
  ].join("\n");
}

/** Returns what the coder says of its finished work, and what Flotilla's own checks of it returned. */
function finished(newest: readonly AgentFacts[], { task, checks }: StatusFacts): readonly string[] {
  const coder = newest.find(({ agent }) => agent.coder)?.agent;
  if (coder === undefined || coder.prNumber === null || isOnPull(coder) || !isFinished(coder)) return [];
  const of = task?.reviewCommit ?? coder.headCommit;
  const on = of === null ? "" : ` on ${of.slice(0, 7)}`;
  const results = checks.map(({ command, exitCode }) => {
    const ended = exitCode === null ? "was cut off" : `exit ${exitCode}`;
    return `${inlineCode(command)} ${ended}`;
  });
  return [
    ...(coder.reason === null ? [] : [`**${nameOf(coder)}** says:`, "", quote(coder.reason), ""]),
    ...(results.length === 0 ? [] : [`Flotilla checked it${on}: ${results.join(", ")}.`, ""]),
  ];
}

const isFinished = ({ state, sleepReason }: AgentRecord): boolean =>
  state === "COMPLETED" || (state === "SLEEPING" && sleepReason === "review");

/** Returns the page of the newest coder, or of the newest agent where none codes. */
function pageShown(newest: readonly AgentFacts[]): AgentPage | null {
  return (newest.find(({ agent }) => agent.coder) ?? newest[0])?.page ?? null;
}

function decided(decision: DecisionRow | null): readonly string[] {
  if (decision === null) return [];
  const { what, why, next } = decisionText(decision);
  return ["", `Last decision, ${moment(decision.at)}: ${what}, ${oneLine(why)} — ${oneLine(next)}.`];
}

/** Flotilla reads this list back; see `readBlockedByLines`. */
function unlinkedList(blockers: StatusFacts["unlinked"]): readonly string[] {
  if (blockers.length === 0) return [];
  return ["These issues block this one. Tick those that no longer do:", "", ...blockedByLines(blockers), ""];
}

const footer =
  "<sub>`/flotilla status` · `why` · `pause` · `resume` · `cancel` · `retry` · `start [role]`</sub>";

const PULL_FOOTER =
  "<sub>`/flotilla review` · `fix` · `status` · `why` · `pause` · `resume` · `cancel`</sub>";

function nameOf({ role, attempt }: AgentRecord): string {
  return attempt > 1 ? `${role} (attempt ${attempt})` : role;
}

/** Returns what an agent has used of its limits, people's grants included: `3 of 50 turns`. */
function usedBudget(agent: AgentRecord, limits: Limits): string {
  const may: Allowance = allowanceOf(limits, agent);
  const cost = may.costMicroUsd === null ? "" : ` of ${dollars(may.costMicroUsd)}`;
  return [
    `${agent.turns} of ${may.turns} turns`,
    `${agent.toolCalls} of ${may.toolCalls} tool calls`,
    `${count(agent.tokens)} of ${count(may.tokens)} tokens`,
    `${dollars(agent.costMicroUsd)}${cost}`,
    `${duration(agent.activeMs)} of ${duration(may.activeMs)} working`,
    `woken ${agent.wakes} of ${may.wakes} times`,
  ].join(", ");
}

/** Returns `950`, `12k`, `1.5M`. */
function count(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  if (tokens < 1_000_000) return `${Math.floor(tokens / 1000)}k`;
  return `${Number((Math.floor(tokens / 100_000) / 10).toFixed(1))}M`;
}
