import { type AgentRecord, isOnPull } from "../../domain/agents/agent-record.ts";
import { handoffBrief } from "../../domain/conversation/handoff.ts";
import { type Prompt, wakesMessage } from "../../domain/conversation/prompts.ts";
import { screensNews } from "../../domain/evidence/screens.ts";
import { reviewBrief } from "../../domain/review/review-brief.ts";
import { issueForModel, issuePictures } from "../conversation/issue-for-model.ts";
import { mayBeRead } from "../conversation/may-be-read.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { taskOf } from "../kernel/find-records.ts";
import { repositoryOf } from "../kernel/repository-of.ts";
import { worktreeOf } from "../tasks/worktree-of.ts";

/** Returns the first message of a reviewer's conversation. */
export async function reviewOpening(context: EngineContext, agent: AgentRecord): Promise<Prompt> {
  const { store, github } = context;
  const repository = await repositoryOf(context, agent.repositoryId);
  const issue = await github.issue(repository, agent.issue);
  const task = await taskOf(store, agent.repositoryId, agent.issue);
  const pull = agent.prNumber === null ? null : await github.pullRequest(repository, agent.prNumber);
  const wakes = await store.wakes.pending(agent.id);
  const handoff = (await store.handoffs.ofAgent(agent.id)).at(-1);
  const earlier = task === undefined ? [] : await store.verdicts.ofTask(task.id);
  const shown = await issueForModel(context, repository, issue);
  const mayRead = pull !== null && (await mayBeRead(context, repository, pull.author));
  return {
    text: reviewBrief({
      theirs: isOnPull(agent),
      issue: shown,
      commit: task?.reviewCommit ?? agent.headCommit ?? "",
      base: agent.baseCommit,
      files: await changedFiles(context, agent),
      pull: mayRead && !isOnPull(agent) ? pull : null,
      earlier,
      news: [
        ...(handoff === undefined ? [] : [handoffBrief(handoff)]),
        ...(task?.assigneeId == null
          ? []
          : screensNews(await store.screens.ofAgent(task.assigneeId), task.reviewCommit)),
        ...(wakes.length === 0 ? [] : [wakesMessage(wakes)]),
      ],
    }),
    told: wakes.map(({ id }) => id),
    pictures: await issuePictures(context, repository, issue, shown),
  };
}

async function changedFiles(context: EngineContext, agent: AgentRecord): Promise<readonly string[]> {
  const ref = await worktreeOf(context, agent);
  if (ref === null || agent.baseCommit === null) return [];
  return (await context.worktrees.diff(ref, agent.baseCommit, 0)).files;
}
