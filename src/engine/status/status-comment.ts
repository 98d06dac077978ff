import { mergesItself } from "../../domain/access/level-of.ts";
import { agentPage } from "../../domain/agents/agent-page.ts";
import { type AgentRecord, isOnPull } from "../../domain/agents/agent-record.ts";
import { useWords } from "../../domain/agents/runtime-choice.ts";
import { limitsFor } from "../../domain/breakers/limits.ts";
import { fullName, type RepositoryRef } from "../../domain/kernel/repository.ts";
import type { DecisionRow, TransitionRow } from "../../domain/kernel/rows.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { CommandFacts } from "../../domain/status/last-command.ts";
import { type AgentFacts, statusComment as render } from "../../domain/status/status-comment.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { agentStatusesOf } from "../merge-queue/agent-statuses.ts";
import { positionInQueue } from "../merge-queue/entries.ts";
import type { Executor } from "../outbox/execution.ts";
import { isForPerson } from "../outbox/is-for-person.ts";
import { readGoal } from "../planning/goal-facts.ts";
import { holdsAsText, type ShownStatus, shownStatus } from "./shown-holds.ts";

/** Transitions shown in the comment. */
const MOVES_SHOWN = 10;

/** Rows read to find them; rows of all machines count. */
const ROWS_READ = 100;

/** Writes the issue's status comment from current data, unless its text is unchanged. */
export const statusComment: Executor<"status_comment"> = async ({ context, repository, row }) => {
  const { store } = context;
  const { id: repositoryId } = repository;
  const goal = await readGoal(context, repository, row.issue);
  // Read in one transaction: what moves meanwhile must not show beside what stood before it.
  const { holds, task, ...facts } = await store.transaction(async (tables) => {
    const agents = await tables.records.find("agent", { repositoryId, issue: row.issue });
    const moves = await tables.transitions.ofIssue(repositoryId, row.issue, ROWS_READ);
    const decisions = await tables.decisions.ofIssue(repositoryId, row.issue, ROWS_READ);
    const blockers = await tables.blockers.get(repositoryId, row.issue);
    const newest = (await tables.records.find("task", { repositoryId, issue: row.issue })).at(-1) ?? null;
    return {
      holds: await holdsAsText(context, tables, { repositoryId, issue: row.issue }),
      agents: await factsOf(context, tables, { agents, repository: fullName(repository) }),
      task: newest,
      checks: await checksOf(tables, newest),
      decision: (await tables.decisions.inForce(repositoryId, row.issue)) ?? null,
      transitions: moves
        .filter(({ machine }) => machine === "agent" || machine === "task")
        .slice(-MOVES_SHOWN),
      archives: await tables.archives.ofAgents(agents.map(({ id }) => id)),
      unlinked: blockers?.linked === false ? blockers.blockers : [],
      command: await latestCommand(tables, row.lane, { decisions, moves }),
    };
  });
  const body = render({
    ...facts,
    task,
    isPull: await isPull(context, repository, { issue: row.issue, agents: facts.agents, task }),
    goal: goal?.facts ?? null,
    queuePosition:
      task === null || !mergesItself(context.settings, fullName(repository))
        ? null
        : await positionInQueue(store, task),
  });
  const knownId = await earlierComment(store, row.lane);
  const comment = await context.github.putComment(repository, row.issue, {
    key: "status",
    body,
    knownId,
    forPerson: await isForPerson(store, row),
  });
  const result: ShownStatus = { id: comment.id, holds };
  return goal === null ? { result } : { result, also: goal.also, changes: { moves: goal.moves } };
};

/** Returns the results of the acceptance commands on the commit under review. */
async function checksOf({ evidence }: Pick<Tables, "evidence">, task: TaskRecord | null) {
  if (task === null || task.assigneeId === null || task.reviewCommit === null) return [];
  const rows = await evidence.ofAgent(task.assigneeId);
  const last = new Map<string, { readonly command: string; readonly exitCode: number | null }>();
  for (const { kind, command, exitCode, commit } of rows)
    if (kind === "command" && command !== null && commit === task.reviewCommit)
      last.set(command, { command, exitCode });
  return [...last.values()];
}

/** Returns whether it is the comment of a person's pull request. GitHub is asked only where no record says so. */
async function isPull(
  { github }: EngineContext,
  repository: RepositoryRef,
  {
    issue,
    agents: [first],
    task,
  }: { readonly issue: number; readonly agents: readonly AgentFacts[]; readonly task: TaskRecord | null },
): Promise<boolean> {
  if (first !== undefined) return isOnPull(first.agent);
  return task === null && (await github.issue(repository, issue)).isPullRequest;
}

/** Returns the latest command that got an answer, with what its delivery caused. */
async function latestCommand(
  store: Pick<Tables, "effects">,
  lane: string,
  {
    decisions,
    moves,
  }: { readonly decisions: readonly DecisionRow[]; readonly moves: readonly TransitionRow[] },
): Promise<CommandFacts | null> {
  const answer = await store.effects.latest(lane, "react");
  if (answer?.payload.kind !== "react") return null;
  const { verb, by, delivery } = answer.payload.command;
  return {
    at: answer.createdAt,
    verb,
    by,
    decisions: decisions.filter((one) => one.delivery === delivery),
    transitions: moves.filter((one) => one.delivery === delivery),
  };
}

async function factsOf(
  context: EngineContext,
  tables: Tables,
  { agents, repository }: { readonly agents: readonly AgentRecord[]; readonly repository: string },
): Promise<AgentFacts[]> {
  const statuses = await agentStatusesOf(context, tables, agents);
  return agents.flatMap((agent) => {
    const settings = context.settingsOf(agent.repositoryId);
    const role = context.roleOf(agent);
    const limits = role === undefined ? settings.limits.defaults : limitsFor(settings, role);
    const status = statuses.get(agent.id);
    const page = agentPage(context.publicUrl, repository, agent.name);
    return status === undefined
      ? []
      : [{ agent, limits, status, page, worksWith: worksWith(context, agent) }];
  });
}

function worksWith({ settings, useOf }: EngineContext, agent: AgentRecord): string | null {
  return Object.keys(settings.runtimes).length === 0 ? null : useWords(useOf(agent));
}

async function earlierComment(store: Pick<Tables, "effects">, lane: string): Promise<number | undefined> {
  return shownStatus(await store.effects.latest(lane, "status_comment", ["done"]))?.id;
}
