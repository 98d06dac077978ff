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
 * A blocker that was closed while its sleeper fell asleep would be missed otherwise; the wake's key makes it one. Of all
 * that wait for it one asks, and the answer is everybody's. One that cannot be seen any more was deleted, moved or taken
 * from us, and would never be closed for us. An open one blocks no more when the agent at work on it has completed and
 * left nothing to merge.
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
  return { result: { state: "closed" }, reaction: { wakes } };
};

/** `sleepers` that reported the issue continue when the work on it was completed since they were awake last. */
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
  // What it knew when it was awake last, and waits for all the same, does not wake it.
  const woken = reporters.filter((_, index) => end > (began[index] ?? 0));
  const what = "is still open, but the agent at work on it has completed and left nothing to merge";
  const wakes = woken.map((one) => wakeOf(context, repository, blocker, one, what));
  return { result: { state: "open", completed: completed.agent.id }, reaction: { wakes } };
}

/** The status comment of each says that a merge is waited for; once for each pull request. */
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

/** The transition's id; 0 where there is none. */
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

/** Null for one that is open. */
function howClosed(issue: GitHubIssue | null): string | null {
  if (issue === null) return "deleted, moved, or put where Flotilla cannot see it";
  if (issue.state === "open") return null;
  return issue.stateReason === "not_planned" ? "closed as not planned" : "closed";
}
