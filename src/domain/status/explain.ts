import type { AgentRecord } from "../agents/agent-record.ts";
import { agentsToShow } from "../agents/agents-to-show.ts";
import { decisionText } from "../kernel/decision-text.ts";
import type { DecisionRow } from "../kernel/rows.ts";
import { duration } from "../messages/format.ts";
import { planLine } from "../planning/plan-summary.ts";
import type { PlannedWork } from "../ports/work-tables.ts";
import { type Merging, workLine } from "../tasks/next-of-work.ts";
import type { TaskRecord } from "../tasks/task-record.ts";
import type { AgentStatus } from "./agent-status.ts";

/** Returns why things were or were not done on an issue, newest first, one line each with what a person can do next. */
export function explanation(decisions: readonly DecisionRow[], now: number): readonly string[] {
  // Nobody has anything to do about what Flotilla itself did.
  const ofOthers = decisions.filter(({ rule }) => rule !== "own_act");
  return ofOthers.map((decision) => {
    const times = decision.count === 1 ? "" : `, ${decision.count} times`;
    const { what, why, next } = decisionText(decision);
    return `${duration(now - decision.lastAt)} ago${times}: ${what}, ${why} (${decision.rule}) → ${next}`;
  });
}

/** Returns the state of an issue's agents, one line each, the newest last; `agentsTold` chooses the agents. */
export function statusLines(
  agents: readonly {
    readonly agent: Pick<AgentRecord, "id" | "name" | "coder" | "state">;
    readonly status: AgentStatus;
  }[],
): readonly string[] {
  return agentsToShow(agents).map(
    ({ agent, status: { now, next } }) => `${agent.name} is ${agent.state}: ${flat(now)} → ${next}`,
  );
}

/** Returns the state of an issue's agents, its work and its goal or sprint, one line each. */
export function issueStatusLines({
  agents,
  task,
  plan,
  merging = null,
}: {
  readonly agents: readonly {
    readonly agent: Pick<AgentRecord, "id" | "name" | "coder" | "state" | "prNumber">;
    readonly status: AgentStatus;
  }[];
  readonly task: TaskRecord | null;
  readonly plan: PlannedWork | null;
  readonly merging?: Merging | null;
}): readonly string[] {
  const workers = agents.map(({ agent }) => agent);
  return [
    ...statusLines(agents),
    ...(task === null ? [] : [workLine(task, workers, merging)]),
    ...(plan === null ? [] : [planLine(plan)]),
  ];
}

const flat = (text: string) => text.replace(/\s+/g, " ").trim();

/** Returns the answer to `/flotilla why`: the present state, then the decisions. */
export function whyComment(
  decisions: readonly DecisionRow[],
  now: number,
  status: readonly string[] = [],
): string {
  const explained = explanation(decisions, now);
  if (explained.length + status.length === 0) return NOTHING_TO_SHOW;
  return [...listed("Now:", status), ...listed("Decisions on this issue, the latest first:", explained)].join(
    "\n\n",
  );
}

/** The answer for an issue without agents, work and decisions. */
export const NOTHING_TO_SHOW =
  "Nobody works on this issue, and nothing was held back or refused here so far.";

function listed(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, lines.map((line) => `- ${line}`).join("\n")];
}
