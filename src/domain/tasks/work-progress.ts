import type { AgentRecord } from "../agents/agent-record.ts";
import { dollars } from "../breakers/money.ts";
import { oneLine } from "../messages/format.ts";
import { isOpenTask, TASK_STATES, type TaskRecord } from "./task-record.ts";

/** Lines of a list at most; the rest is counted. */
const MOST = 30;

/** The work of a sprint, or of all sprints and sub-issues of a goal. */
export interface WorkFacts {
  readonly tasks: readonly TaskRecord[];
  /** All agents, including those that have ended. */
  readonly agents: readonly AgentRecord[];
  /** Their unanswered questions to people. */
  readonly questions: readonly { readonly issue: number; readonly text: string }[];
}

/** Returns `2 MERGED, 1 CLAIMED`, in the order of a task's life. */
export function taskCounts(tasks: readonly TaskRecord[]): string {
  const counts = TASK_STATES.flatMap((state) => {
    const count = tasks.filter((task) => task.state === state).length;
    return count === 0 ? [] : [`${count} ${state}`];
  });
  return counts.length === 0 ? "none yet" : counts.join(", ");
}

export function costLine({ agents }: Pick<WorkFacts, "agents">): string {
  const sum = (of: (agent: AgentRecord) => number) => agents.reduce((total, agent) => total + of(agent), 0);
  const cost = dollars(sum((agent) => agent.costMicroUsd));
  return `Cost so far: ${cost} for ${sum((agent) => agent.turns)} turns of ${agents.length} ${agents.length === 1 ? "agent" : "agents"}.`;
}

export function questionLines({ questions }: Pick<WorkFacts, "questions">): readonly string[] {
  if (questions.length === 0) return [];
  const lines = questions.map(({ issue, text }) => `- #${issue}: ${oneLine(text)}`);
  return ["", "**Open questions**, each to be answered on its issue", "", ...bounded(lines)];
}

/** Returns a task on one line, with who works on it and how far the work is. */
function taskLine(task: TaskRecord, agents: readonly AgentRecord[]): string {
  const agent = agents.findLast(({ issue, coder }) => issue === task.issue && coder);
  const pull = agent === undefined || agent.prNumber === null ? "" : `, pull request #${agent.prNumber}`;
  const who =
    agent === undefined || !isOpenTask(task) ? "" : `, ${agent.role} is ${agent.state}${why(agent)}`;
  return `- #${task.issue} ${oneLine(task.title)}: ${task.state}${who}${pull}`;
}

function why({ sleepReason }: AgentRecord): string {
  return sleepReason === null ? "" : ` (${sleepReason})`;
}

/** Returns the lists of ended and of open work. */
export function taskLists({ tasks, agents }: WorkFacts): readonly string[] {
  const list = (title: string, some: readonly TaskRecord[]) =>
    some.length === 0 ? [] : ["", `**${title}**`, "", ...bounded(some.map((task) => taskLine(task, agents)))];
  return [
    ...list(
      "Done",
      tasks.filter((task) => !isOpenTask(task)),
    ),
    ...list("Open", tasks.filter(isOpenTask)),
  ];
}

function bounded(lines: readonly string[]): readonly string[] {
  return lines.length <= MOST ? lines : [...lines.slice(0, MOST), `- and ${lines.length - MOST} more`];
}
