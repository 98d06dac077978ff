import type { ArchiveRow } from "../archive.ts";
import type { IssueRef } from "../blockers.ts";
import type { Limits } from "../limits.ts";
import type { AgentRecord } from "../machines/agent-record.ts";
import { since } from "../machines/since.ts";
import type { TaskRecord } from "../machines/task.ts";
import type { DecisionRow, TransitionRow } from "../rows.ts";
import { agentsTold } from "./agents-told.ts";
import { archivesShown } from "./archive.ts";
import { blockedByLines } from "./blocked-by-lines.ts";
import { decisionText } from "./decision.ts";
import { type GoalFacts, goalProgress } from "./goal-progress.ts";
import { type CommandFacts, lastCommand } from "./last-command.ts";
import { lastTransitions } from "./last-transitions.ts";
import { trainWords } from "./merge-words.ts";
import { moment } from "./moment.ts";
import { oneLine } from "./one-line.ts";
import { safeLine } from "./safe/inline.ts";
import type { Standing } from "./standing.ts";
import { taskFacts } from "./task-facts.ts";
import { usedBudget } from "./used-budget.ts";
import { workFactsOf } from "./work-next.ts";

export interface AgentFacts {
  readonly agent: AgentRecord;
  readonly limits: Limits;
  readonly standing: Standing;
}

export interface StatusFacts {
  readonly agents: readonly AgentFacts[];
  /** The goal that the issue tracks. */
  readonly goal: GoalFacts | null;
  /** The issue's newest, which may have ended. */
  readonly task: TaskRecord | null;
  /** Where its task stands in the merge train; null when it is in none. */
  readonly train: { readonly place: number; readonly of: number; readonly ahead: number | null } | null;
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
    const { agent, standing } = each;
    const pull = agent.prNumber === null ? "" : `#${agent.prNumber}`;
    return `| ${nameOf(agent)} | **${agent.state}** | ${oneLine(standing.now)} | ${moment(since(agent))} | ${pull} |`;
  });
  const table =
    rows.length === 0
      ? ["No agent works on this issue."]
      : ["| role | state | now | since | pull request |", "|---|---|---|---|---|", ...rows];
  const shown = agentsTold(newest);
  const next = shown.flatMap(({ agent, standing }) => [
    "",
    `Next for ${nameOf(agent)}: ${safeLine(standing.next)}.`,
  ]);
  const budget = shown.flatMap(({ agent, limits }) => [
    "",
    `Used by ${nameOf(agent)}: ${usedBudget(agent, limits)}.`,
  ]);
  const inTrain = facts.train === null ? "" : `; ${trainWords(facts.train)}`;
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
            merging: facts.train,
          })}${inTrain}`,
        ];
  return [
    "### Flotilla",
    "",
    ...goalProgress(facts.goal),
    ...table,
    ...next,
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
  return ["", "These issues block this one. Tick those that no longer do:", "", ...blockedByLines(blockers)];
}

const footer =
  "<sub>`/flotilla status` · `why` · `pause` · `resume` · `cancel` · `retry` · `start [role]`</sub>";

function nameOf({ role, attempt }: AgentRecord): string {
  return attempt > 1 ? `${role} (attempt ${attempt})` : role;
}
