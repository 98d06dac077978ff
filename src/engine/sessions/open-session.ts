import { type AgentRecord, isOnPull } from "../../domain/agents/agent-record.ts";
import { OperationError } from "../../domain/commands/operation-fault.ts";
import { guardMode } from "../../domain/commands/operations.ts";
import { OutsideError } from "../../domain/kernel/errors.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { modelWritten } from "../../domain/settings/runtime-use.ts";
import { savedCommits } from "../../domain/tasks/checkpoint.ts";
import { offersPatch } from "../../domain/tasks/fix-pull.ts";
import { rebaseNotice } from "../conversation/rebase-notice.ts";
import { reuseInWorktree } from "../evidence/reuse-setup.ts";
import { note } from "../kernel/advance-agent.ts";
import { baseOfAgent } from "../kernel/base-of.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { taskOf } from "../kernel/find-records.ts";
import { runtimeOf } from "../kernel/runtime-of.ts";
import { bringBaseIn } from "../merge-queue/merge-base.ts";
import { agentOf, type Executor, type Outcome } from "../outbox/execution.ts";
import { tellOfRebuilding } from "../tasks/rebuilt-worktree.ts";
import { noteBase } from "../tasks/task-facts.ts";
import { worktreeOf } from "../tasks/worktree-of.ts";
import { handOver } from "./hand-over.ts";
import { clearNewConversation, dropOldSessions, earlierModel, noteOpened } from "./old-sessions.ts";
import { restoreConversation } from "./restore-conversation.ts";

/**
 * Prepares the worktree, opens the conversation and starts the driver. A damaged conversation is replaced by
 * a handoff. Idempotent: keeps an existing worktree, and ends an earlier period of the agent first.
 */
export const openSession: Executor<"open_session"> = async (execution) => {
  const agent = agentOf(execution);
  const { context, drivers } = execution;
  const role = context.roleOf(agent);
  if (role === undefined)
    throw new OutsideError("unknown_role", `there is no role ${agent.role} any more`, {
      consequence: "stop",
    });
  const mismatch = guardMode(runtimeOf(context, agent), agent.mode);
  if (mismatch !== null) {
    const { code, message, hint } = new OperationError(mismatch);
    throw new OutsideError(code, message, { consequence: "stop", advice: hint });
  }
  const ref = await worktreeOf(context, agent);
  const prNumber = await ownOpenPull(context, agent, execution.repository);
  const base = await baseOfAgent(context, execution.repository, agent);
  const patches = offersPatch(agent, context.settingsOf(agent.repositoryId));
  const known = await context.store.checkpoints.get(agent.id);
  const { prepared, brought } = await drivers.openingStep(agent.id, "worktree", async () => {
    if (ref === null) return { prepared: null, brought: null };
    const backport = ref.branch === null ? undefined : await backportOf(context, agent);
    const made = await context.worktrees.prepare(ref, {
      base,
      ...(backport === undefined ? {} : { changeOf: backport }),
      // An attempt whose worktree was never prepared starts from scratch at every try.
      reusePushed: ref.branch !== null && !patches && (agent.baseCommit !== null || prNumber !== null),
      ...(await startCommit(context, agent)),
      saved: savedCommits(known),
    });
    const broughtIn = await bringBaseIn(context, agent, { ref, base });
    if (broughtIn === null) await reuseInWorktree(context, agent, ref, made);
    return { prepared: made, brought: broughtIn };
  });
  const path = prepared?.path ?? (await context.directories.workplace(agent.id));
  if (prepared !== null)
    await context.store.transaction(async (tables) => {
      await note(tables, agent.id, {
        worktreePath: path,
        prNumber,
        // For a reviewer: the commit that it saw, whatever is under review later.
        ...(ref?.branch === null && agent.headCommit === null ? { headCommit: prepared.head } : {}),
        ...(agent.baseCommit === null ? { baseCommit: prepared.baseCommit } : {}),
        ...laterActive(agent, { since: execution.row.createdAt, now: context.clock.now() }),
      });
      await noteBase(tables, agent.id, agent.baseCommit ?? prepared.baseCommit);
      if (prepared.takenUp !== undefined)
        await tables.wakes.add(rebaseNotice(agent, prepared.takenUp, context.clock.now()));
      if (brought !== null) await tables.wakes.add(brought);
      if (agent.worktreePath !== null && ref?.branch != null)
        await tellOfRebuilding(tables, agent, { prepared, known, at: context.clock.now() });
    });
  // On a retry the previous driver may still run; it is stopped, so that the record read now has its counts.
  await drivers.stop(agent.id);
  const current = (await context.store.records.get("agent", agent.id)) ?? agent;
  // The agent was paused or has ended while the worktree was prepared, so no process is started.
  if (current.state !== "ACTIVE" || current.token !== agent.token) return { result: { path, opened: false } };
  const model = modelWritten(context.useOf(agent).models[0]);
  const earlier = await earlierModel(context, current, model);
  if (earlier !== null)
    return givenOver(context, current, {
      cause: "model_change",
      why: `its model is ${model} now and was ${earlier}`,
    });
  const start = () => drivers.start(current, role, path);
  let runtimeVersion: string | null;
  try {
    runtimeVersion = await drivers.openingStep(agent.id, "conversation", async () => {
      const isBack = await restoreConversation(context, current, { damaged: false });
      return start().catch(async (error: unknown) => {
        const isDamaged = error instanceof OutsideError && error.code === "session_damaged";
        if (isBack || !isDamaged || !(await restoreConversation(context, current, { damaged: true })))
          throw error;
        return start();
      });
    });
  } catch (error) {
    if (!(error instanceof OutsideError) || error.code !== "session_damaged") throw error;
    await clearNewConversation(context, current, error);
    const why = "its conversation could not be resumed";
    return givenOver(context, current, { cause: "session_lost", why });
  }
  await noteOpened(context, current, { model, runtimeVersion });
  await dropOldSessions(context, current);
  return { result: { path, origin: prepared?.origin ?? null } };
};

/** Moves the start of active time past the preparation of the worktree. */
function laterActive(
  { activeSince }: AgentRecord,
  { since, now }: { readonly since: number; readonly now: number },
): Partial<Pick<AgentRecord, "activeSince">> {
  return activeSince === null ? {} : { activeSince: activeSince + now - Math.max(since, activeSince) };
}

/** Hands over to a new conversation, built from what the host knows, instead of opening this one. */
async function givenOver(
  context: EngineContext,
  agent: AgentRecord,
  cause: { cause: "model_change" | "session_lost"; why: string },
): Promise<Outcome> {
  const { moves, also } = await handOver(context, agent, { ...cause, messages: [] });
  return { result: { handoff: cause.cause }, changes: { moves }, also };
}

/** Returns the number of our open pull request for the agent's branch, where the work continues. */
async function ownOpenPull(
  context: EngineContext,
  agent: AgentRecord,
  repository: RepositoryRow,
): Promise<number | null> {
  if (agent.prNumber !== null || agent.branch === null) return agent.prNumber;
  const pulls = await context.github.pullRequests(repository, { head: agent.branch });
  const own = pulls.find((pull) => pull.state === "open" && pull.author.id === context.identity.botId);
  return own?.number ?? null;
}

/** Returns the merged commit whose change the agent's work begins with. */
async function backportOf(context: EngineContext, agent: AgentRecord): Promise<string | undefined> {
  return (await taskOf(context.store, agent.repositoryId, agent.issue))?.backport ?? undefined;
}

/**
 * Returns the commit at which a worktree begins: that under review for a detached checkout, and the head of a person's pull
 * request unless its own branch is used; without one, that of the branch or its base.
 */
async function startCommit(
  context: EngineContext,
  agent: AgentRecord,
): Promise<{ commit?: string; pull?: number }> {
  if (isOnPull(agent)) {
    const isOwn = agent.branch === null || offersPatch(agent, context.settingsOf(agent.repositoryId));
    const isBegun = agent.branch !== null && agent.baseCommit !== null;
    return agent.headCommit === null || isBegun || !isOwn
      ? {}
      : { commit: agent.headCommit, pull: agent.issue };
  }
  if (agent.branch !== null) return {};
  const task = await taskOf(context.store, agent.repositoryId, agent.issue);
  const commit = task?.state === "READY_FOR_REVIEW" ? task.reviewCommit : null;
  return commit === null ? {} : { commit };
}
