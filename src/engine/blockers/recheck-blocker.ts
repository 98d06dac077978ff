import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { blockerWake } from "../../domain/blockers/blocker-wake.ts";
import { hasReported } from "../../domain/blockers/blockers.ts";
import type { NewWake } from "../../domain/kernel/change-set.ts";
import { GitHubError } from "../../domain/kernel/errors.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { GitHubIssue } from "../../domain/ports/github.ts";
import { completedOn } from "../conversation/other-work.ts";
import { issueEffect } from "../kernel/effect-rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { repositoryOf } from "../kernel/repository-of.ts";
import { agentOf, type Executor, type Outcome } from "../outbox/execution.ts";
import { waitingFor } from "./dependents.ts";

/**
 * Wakes the agents that wait for a blocker which was closed, or can no longer be seen, since no webhook would
 * report it. One sleeper checks for all; the wake's key makes repeats harmless. An open blocker releases its
 * sleepers when its agent completed and left nothing to merge.
 */
export const recheckBlocker: Executor<"recheck_blocker"> = async (execution) => {
  const { context, effect } = execution;
  const agent = agentOf(execution);
  const { blocker, repositoryId = agent.repositoryId } = effect;
  const repository = await repositoryOf(context, repositoryId);
  if (agent.state !== "SLEEPING" || !hasReported(agent, repositoryId, blocker)) return { result: null };
  const how = howClosed(await issueIn(context, repository, blocker));
  const { asleep } = await waitingFor(context, repository, blocker);
  const others = asleep.filter(({ id, state }) => id !== agent.id && state === "SLEEPING");
  const sleepers = [agent, ...others];
  if (how === null) return whileOpen(context, repository, blocker, sleepers);
  const wakes = sleepers.map((one) => wakeOf(context, repository, blocker, one, `was ${how}`));
  return { result: { state: "closed" }, changes: { wakes } };
};

/**
 * Wakes the `sleepers` that reported the issue when the work on it was completed after they were last awake.
 */
async function whileOpen(
  context: EngineContext,
  repository: RepositoryRow,
  blocker: number,
  sleepers: readonly AgentRecord[],
): Promise<Outcome> {
  const { store } = context;
  const { id: repositoryId } = repository;
  const completed = await completedOn(store, { repositoryId, issue: blocker });
  const reporters = sleepers.filter((one) => hasReported(one, repositoryId, blocker));
  const { openPull = null } = completed ?? {};
  if (openPull !== null)
    return { result: { state: "open", pull: openPull }, also: tellOf(context, reporters, openPull) };
  if (completed?.over !== true) return { result: { state: "open" } };
  const end = await lastMoveTo(store, completed.agent, "COMPLETED");
  const began = await Promise.all(reporters.map((one) => lastMoveTo(store, one, "ACTIVE")));
  // An agent that reported the issue after that completion knew of it, so it is not woken.
  const woken = reporters.filter((_, index) => end > (began[index] ?? 0));
  const what = "is still open, but the agent at work on it has completed and left nothing to merge";
  const wakes = woken.map((one) => wakeOf(context, repository, blocker, one, what));
  return { result: { state: "open", completed: completed.agent.id }, changes: { wakes } };
}

/** Has the status comment of each sleeper say that it waits for a merge; once per pull request. */
function tellOf(
  { clock }: EngineContext,
  sleepers: readonly AgentRecord[],
  pull: number,
): NonNullable<Outcome["also"]> {
  return async ({ effects }) => {
    await effects.add(
      sleepers.map(({ id, token, repositoryId, issue }) => ({
        ...issueEffect({ repositoryId, issue, effect: { kind: "status_comment" }, at: clock.now() }),
        key: `blocker-pull:${id}:${token}:${pull}`,
      })),
    );
  };
}

/** Returns the transition's id; 0 where there is none. */
async function lastMoveTo(
  { transitions }: EngineContext["store"],
  { id }: AgentRecord,
  state: string,
): Promise<number> {
  const moves = await transitions.ofAgent(id);
  return (
    moves.findLast(({ machine, from, to }) => machine === "agent" && to === state && from !== to)?.id ?? 0
  );
}

function wakeOf(
  { clock }: EngineContext,
  repository: RepositoryRow,
  number: number,
  sleeper: AgentRecord,
  what: string,
): NewWake {
  const issue = { repository: fullName(repository), number };
  return blockerWake(sleeper, issue, what, { repository, at: clock.now() });
}

async function issueIn(
  { github }: EngineContext,
  repository: RepositoryRow,
  number: number,
): Promise<GitHubIssue | null> {
  try {
    return await github.issue(repository, number);
  } catch (error) {
    if (error instanceof GitHubError && error.code === "not_found") return null;
    throw error;
  }
}

/** Returns how the issue was closed; null for an open one. */
function howClosed(issue: GitHubIssue | null): string | null {
  if (issue === null) return "deleted, moved, or put where Flotilla cannot see it";
  if (issue.state === "open") return null;
  return issue.stateReason === "not_planned" ? "closed as not planned" : "closed";
}
