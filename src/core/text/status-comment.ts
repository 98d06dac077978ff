import type { ArchiveRow } from "../archive.ts";
import type { IssueRef } from "../blockers.ts";
import { type Hold, holdEnds, holdText } from "../hold.ts";
import type { Limits } from "../limits.ts";
import type { AgentRecord } from "../machines/agent-record.ts";
import { isLive } from "../machines/agent-record.ts";
import type { RunRecord } from "../machines/run.ts";
import { since } from "../machines/since.ts";
import type { TaskRecord } from "../machines/task.ts";
import type { DecisionRow, TransitionRow } from "../rows.ts";
import { archivesShown } from "./archive.ts";
import { blockedByLines } from "./blocked-by-lines.ts";
import { decisionText } from "./decision.ts";
import { type GoalFacts, goalProgress } from "./goal-progress.ts";
import { type CommandFacts, lastCommand } from "./last-command.ts";
import { lastTransitions } from "./last-transitions.ts";
import { trainWords } from "./merge-words.ts";
import { moment } from "./moment.ts";
import { oneLine } from "./one-line.ts";
import { taskFacts } from "./task-facts.ts";
import { usedBudget } from "./used-budget.ts";
import { type WaitedMerge, waitsFor } from "./waits-for.ts";

export interface AgentFacts {
  readonly agent: AgentRecord;
  readonly run: RunRecord | null;
  readonly limits: Limits;
  /** The move by which it fell asleep last; null when it never did. */
  readonly slept: TransitionRow | null;
  /** What it waits for is done but for a merge. */
  readonly merges?: readonly WaitedMerge[];
  /** What holds it. */
  readonly holds: readonly Hold[];
}

export interface StatusFacts {
  readonly agents: readonly AgentFacts[];
  /** The issue's newest, which may have ended. */
  /** The goal that the issue tracks. */
  readonly goal: GoalFacts | null;
  readonly task: TaskRecord | null;
  /** Where its task stands in the merge train; null when it is in none. */
  readonly train: { readonly place: number; readonly of: number } | null;
  /** The newest one that still holds. */
  readonly decision: DecisionRow | null;
  /** The last ten of the issue, the oldest first. */
  readonly transitions: readonly TransitionRow[];
  readonly command: CommandFacts | null;
  readonly archives: readonly ArchiveRow[];
  /** What blocks the issue, where GitHub keeps no dependencies. */
  readonly unlinked: readonly (IssueRef & { readonly open: boolean })[];
}

/**
 * The one comment of an issue that is edited in place: who works, what it waits for and since when, what it used. It
 * holds moments and no spans of time, so that it changes only when something has happened.
 */
export function statusComment(facts: StatusFacts): string {
  const newest = facts.agents.toSorted((left, right) => right.agent.id - left.agent.id);
  const rows = newest.map((each) => {
    const { agent } = each;
    const pull = agent.prNumber === null ? "" : `#${agent.prNumber}`;
    return `| ${nameOf(agent)} | **${agent.state}** | ${oneLine(says(each))} | ${moment(since(agent))} | ${pull} |`;
  });
  const table =
    rows.length === 0
      ? ["No agent works on this issue."]
      : ["| role | state | now | since | pull request |", "|---|---|---|---|---|", ...rows];
  const budget = newest
    .filter(({ agent }, index) => isLive(agent) || index === 0)
    .flatMap(({ agent, limits }) => ["", `Used by ${nameOf(agent)}: ${usedBudget(agent, limits)}.`]);
  const inTrain = facts.train === null ? "" : `; ${trainWords(facts.train)}`;
  const coder = facts.agents.some(({ agent }) => agent.coder && isLive(agent));
  const task = facts.task === null ? [] : ["", `${taskFacts(facts.task, { coder })}${inTrain}`];
  return [
    "### Flotilla",
    "",
    ...goalProgress(facts.goal),
    ...table,
    ...budget,
    ...task,
    ...unlinkedList(facts.unlinked),
    ...decided(facts.decision),
    ...archivesShown(
      newest.map(({ agent }) => agent),
      facts.archives,
    ),
    ...lastCommand(facts.command),
    ...lastTransitions(facts.transitions),
    "",
    footer,
  ].join("\n");
}

function decided(decision: DecisionRow | null): readonly string[] {
  if (decision === null) return [];
  const { what, why, next } = decisionText(decision);
  return ["", `Last decision, ${moment(decision.at)}: ${what}, ${oneLine(why)} — ${oneLine(next)}.`];
}

/** This is read back; see `readBlockedByLines`. */
function unlinkedList(blockers: StatusFacts["unlinked"]): readonly string[] {
  if (blockers.length === 0) return [];
  return ["", "What blocks this issue; tick off what does not any more:", "", ...blockedByLines(blockers)];
}

const footer =
  "<sub>`/flotilla status` · `why` · `pause` · `resume` · `cancel` · `retry` · `start [role]`</sub>";

function nameOf({ role, attempt }: AgentRecord): string {
  return attempt > 1 ? `${role} (attempt ${attempt})` : role;
}

function says({ agent, run, slept, holds, merges = [] }: AgentFacts): string {
  switch (agent.state) {
    case "CREATED":
      return `waits to start${agent.dueAt === null ? "" : `, not before ${moment(agent.dueAt)}`}${heldBy(holds)}`;
    case "ACTIVE":
      return run?.state ?? "starting";
    case "SLEEPING":
      if (agent.sleepReason === "paused" && holds.length === 0 && agent.reason !== null)
        return `paused: ${agent.reason}`;
      // Nothing renews this comment when a hold ends that is not the agent's own.
      return agent.sleepReason === "paused" || agent.heldBy.length > 0
        ? `${waitsFor(agent, slept, merges)}${heldBy(holds)}`
        : waitsFor(agent, slept, merges);
    case "ESCALATED":
      return `needs a person: ${agent.reason ?? "it gave no reason"}`;
    case "COMPLETED":
    case "FAILED":
    case "CANCELLED":
      return agent.reason ?? "";
  }
}

/** What holds it and what ends that. */
function heldBy(holds: readonly Hold[]): string {
  return holds.length === 0 ? "" : ` (held: ${holdText(holds)}; ${holdEnds(holds)})`;
}
