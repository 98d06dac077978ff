import { atLevel, Withheld } from "../../domain/access/level.ts";
import { onWithheld } from "../../domain/access/on-withheld.ts";
import { type AgentRecord, isOnPull } from "../../domain/agents/agent-record.ts";
import { leftOutSentence } from "../../domain/evidence/left-out.ts";
import { QUIET_MS } from "../../domain/kernel/effect.ts";
import { GitError } from "../../domain/kernel/errors.ts";
import type { RepositoryRef } from "../../domain/kernel/repository.ts";
import { approvedPlan } from "../../domain/planning/plan-comment.ts";
import { commitMessage } from "../../domain/tasks/commit-message.ts";
import { offersPatch } from "../../domain/tasks/fix-pull.ts";
import { newCommit } from "../../domain/tasks/new-commit.ts";
import { bodyWithFacts, renewedBody } from "../../domain/tasks/pull-facts.ts";
import { note } from "../kernel/advance-agent.ts";
import { baseOf } from "../kernel/base-of.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { taskOf } from "../kernel/find-records.ts";
import { agentOf, type Executor } from "../outbox/execution.ts";
import { stillHolds } from "../outbox/is-stale.ts";
import { coAuthorOf } from "./co-author-of.ts";
import { holdCommit } from "./hold-commit.ts";
import { provenanceOf, pullFactsOf, renewFacts } from "./pull-facts.ts";
import { factsWritten } from "./pull-facts-effect.ts";
import { signingOf } from "./signing-of.ts";
import { worktreeOf } from "./worktree-of.ts";

/**
 * Commits everything in the worktree and pushes it to the agent's own branch. Idempotent: a second run finds
 * nothing to commit and pushes what is there.
 */
export const commit: Executor<"commit"> = async (execution) => {
  const { context, effect, repository, row } = execution;
  const agent = agentOf(execution);
  const ref = await worktreeOf(context, agent);
  if (ref === null) return { result: { commit: null } };
  const { botLogin, botId } = context.identity;
  const author = { name: botLogin, email: `${botId}+${botLogin}@users.noreply.github.com` };
  const signedOffBy = context.settings.commits.signOff ? `${author.name} <${author.email}>` : null;
  const coAuthoredBy = await coAuthorOf(context, repository, agent);
  const provenance = { ...(await provenanceOf(context, repository, agent)), coAuthoredBy, signedOffBy };
  const message = commitMessage(effect.message, provenance);
  const checked = await holdCommit(context, agent, ref).catch(tooManyChanges);
  if ("tooManyChanges" in checked) return { result: { commit: null, ...checked } };
  context.crashPoint("commit:checked");
  if (checked.held) return { result: { commit: null, held: checked.told }, also: checked.ask };
  const made = await context.worktrees.commit(ref, { message, author, tree: checked.tree }).catch(unsettled);
  if (made !== null && "unsettled" in made) return { result: { commit: null, ...made } };
  const status = await context.worktrees.status(ref);
  const left = leftOutSentence(checked.leftOut);
  const leftOut = left === "" ? {} : { leftOut: left };
  if (made === null && status.pushed) return { result: { commit: null, ...leftOut } };
  const branches = [
    await baseOf(context.store, repository, agent.issue),
    ...(ref.branch === null ? [] : [ref.branch]),
  ];
  const signing = await signingOf(context, repository, branches);
  // The work stays in the worktree; the task's current owner begins from what was pushed.
  if (!(await stillHolds(context, row))) return { result: { commit: null, stale: true } };
  const fresh = made !== null;
  if (offersPatch(agent, context.settingsOf(agent.repositoryId)))
    return { result: { commit: status.head, fresh, patch: true, ...leftOut } };
  if (isOnPull(agent) && !(await isStillThere(context, repository, agent)))
    return { result: { commit: status.head, fresh, ended: agent.issue, ...leftOut } };
  const pushed = await context.worktrees.push(ref, { signing }).catch(keptHere);
  if (pushed instanceof Withheld) {
    const at = context.clock.now();
    const changes = onWithheld(effect, agent, { level: pushed.level, at });
    return {
      result: { commit: status.head, fresh, withheld: pushed.level, ...leftOut },
      changes,
    };
  }
  return {
    result: { commit: pushed.commit, fresh, ...leftOut },
    also: async (tables) => {
      await note(tables, agent.id, { headCommit: pushed.commit });
      await renewFacts(tables, agent, pushed.commit, context.clock.now());
    },
    changes: { moves: await voidedBy(context, agent, pushed.commit) },
  };
};

/** Returns whether the person's pull request is open: a push would make a deleted branch again. */
async function isStillThere(
  { github }: EngineContext,
  repository: RepositoryRef,
  { issue, branch }: AgentRecord,
): Promise<boolean> {
  const pull = await github.pullRequest(repository, issue);
  return pull.state === "open" && pull.headRef === branch && pull.headRepository !== null;
}

/**
 * Returns the result for a merge with conflict markers, which the agent must resolve; rethrows other errors.
 */
function unsettled(error: unknown): { readonly unsettled: string } {
  if (error instanceof GitError && error.code === "conflict_markers") return { unsettled: error.message };
  throw error;
}

/** Returns the result for too many files, which the agent can delete; rethrows other errors. */
function tooManyChanges(error: unknown): { readonly tooManyChanges: string } {
  if (error instanceof GitError && error.code === "too_many_changes")
    return { tooManyChanges: `${error.message}. ${error.advice}` };
  throw error;
}

/** Returns the result for a commit that the level keeps in the worktree; rethrows other errors. */
function keptHere(error: unknown): Withheld {
  if (error instanceof Withheld) return error;
  throw error;
}

/** Opens the agent's one pull request, or adopts an open one of the same branch. */
export const openPr: Executor<"open_pr"> = async (execution) => {
  const { context, repository, effect, row } = execution;
  const agent = agentOf(execution);
  if (agent.branch === null) return { result: { number: null } };
  const facts = await pullFactsOf(context, repository, agent, await changedFiles(context, agent));
  const plan = await context.store.approvals.plan(agent.id);
  const words = plan === undefined ? effect.body : `${effect.body}\n\n${approvedPlan(plan)}`;
  const pull = await context.github.openPullRequest(repository, {
    key: row.key,
    title: effect.title,
    body: bodyWithFacts(words, facts),
    head: agent.branch,
    base: await baseOf(context.store, repository, agent.issue),
    draft: atLevel(execution.level, "open_pr") === "draft",
  });
  // One that was there before has the facts of that time.
  const isShown = renewedBody(pull.body, facts) === null;
  return {
    result: { number: pull.number, url: pull.url, ...(isShown ? factsWritten(context, facts) : {}) },
    also: async (tables) => {
      await note(tables, agent.id, { prNumber: pull.number, headCommit: pull.headSha });
      if (!isShown)
        await renewFacts(tables, { ...agent, prNumber: pull.number }, "opened", context.clock.now());
    },
    // GitHub itself shows on the issue that the pull request is there.
    changes: { effects: [{ kind: "status_comment", notBefore: context.clock.now() + QUIET_MS }] },
  };
};

/** Returns the files that the agent's branch changes, as git sees it; null where it cannot be compared. */
async function changedFiles(context: EngineContext, agent: AgentRecord): Promise<readonly string[] | null> {
  const ref = await worktreeOf(context, agent);
  if (ref === null || agent.baseCommit === null) return null;
  return (await context.worktrees.diff(ref, agent.baseCommit, 0)).files;
}

/** Returns the moves after the coder pushed a commit on top of the reviewed one. */
async function voidedBy(context: EngineContext, agent: AgentRecord, pushed: string) {
  const task = await taskOf(context.store, agent.repositoryId, agent.issue);
  if (task?.assigneeId !== agent.id) return [];
  return newCommit(task, { at: context.clock.now(), actor: "agent", commit: pushed });
}
