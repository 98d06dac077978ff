import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { handoffBrief } from "../../domain/conversation/handoff.ts";
import { type Prompt, wakesMessage } from "../../domain/conversation/prompts.ts";
import { lessonBrief } from "../../domain/lessons/lesson-brief.ts";
import { issueForModel, issuePictures } from "../conversation/issue-for-model.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { repositoryOf } from "../kernel/repository-of.ts";
import { readEndedWork } from "./facts.ts";
import { lessonsFile } from "./proposals.ts";

/** Returns the first message of a retrospective's conversation. Throws `GitHubError`. */
export async function lessonOpening(context: EngineContext, agent: AgentRecord): Promise<Prompt> {
  const repository = await repositoryOf(context, agent.repositoryId);
  const issue = await context.github.issue(repository, agent.issue);
  const shown = await issueForModel(context, repository, issue);
  const ended = await readEndedWork(context, repository, agent.issue);
  const file = await lessonsFile(context, repository);
  const wakes = await context.store.wakes.pending(agent.id);
  const handoff = (await context.store.handoffs.ofAgent(agent.id)).at(-1);
  return {
    text: lessonBrief({
      issue: shown,
      // Work may begin again on the issue while this agent waits to start.
      ending: ended?.ending ?? "task.rejected",
      pull: ended?.pull ?? null,
      facts: ended?.facts ?? [],
      file: "text" in file ? file.text : "",
      news: [
        ...(handoff === undefined ? [] : [handoffBrief(handoff)]),
        ...(wakes.length === 0 ? [] : [wakesMessage(wakes)]),
      ],
    }),
    told: wakes.map(({ id }) => id),
    pictures: await issuePictures(context, repository, issue, shown),
  };
}
