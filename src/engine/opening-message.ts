import { type HandoffRow, handoffBrief } from "../core/handoff.ts";
import type { AgentRecord } from "../core/machines/agent-record.ts";
import { fullName } from "../core/repository.ts";
import { firstMessage, newsMessage, type Prompt, wakeBrief } from "../core/text/messages.ts";
import type { EngineContext } from "./context.ts";
import { repositoryOf } from "./repository-of.ts";

/** The first message of a period: the issue for a new conversation, the wake brief for one that goes on. */
export async function openingMessage(
  context: EngineContext,
  agent: AgentRecord,
  resumed: boolean,
): Promise<Prompt> {
  const wakes = await context.store.wakes.pending(agent.id);
  const told = wakes.map((wake) => wake.id);
  if (resumed) {
    const slept = await sleptMs(context, agent);
    return { text: wakeBrief({ wakes, sleptMs: slept, branch: agent.branch, pull: agent.prNumber }), told };
  }
  const repository = await repositoryOf(context, agent.repositoryId);
  const issue = await context.github.issue(repository, agent.issue);
  const before = await lastHandoff(context, agent);
  return {
    text: firstMessage({
      issue: {
        repository: fullName(repository),
        number: issue.number,
        title: issue.title,
        body: issue.body,
        author: issue.author.login,
      },
      branch: agent.branch,
      pull: agent.prNumber,
      attempt: agent.attempt,
      before: agent.reason,
      news: [
        ...(before === undefined ? [] : [handoffBrief(before)]),
        ...(wakes.length === 0 ? [] : [newsMessage(wakes)]),
      ],
    }),
    told,
  };
}

/** What the conversation before this one left: its own, or for a later attempt that of the attempt before. */
async function lastHandoff(context: EngineContext, agent: AgentRecord): Promise<HandoffRow | undefined> {
  const { store } = context;
  const own = (await store.handoffs.ofAgent(agent.id)).at(-1);
  if (own !== undefined || agent.attempt === 1) return own;
  const { repositoryId, issue, role } = agent;
  const earlier = await store.records.find("agent", {
    repositoryId,
    issue,
    role,
    attempt: agent.attempt - 1,
  });
  const [last] = earlier.slice(-1);
  return last === undefined ? undefined : (await store.handoffs.ofAgent(last.id)).at(-1);
}

/** How long it slept before this period, read from its transitions. */
async function sleptMs(context: EngineContext, agent: AgentRecord): Promise<number | null> {
  const moves = await context.store.transitions.ofAgent(agent.id);
  const slept = moves.findLast(
    (move) =>
      move.machine === "agent" &&
      move.from === "ACTIVE" &&
      (move.to === "SLEEPING" || move.to === "ESCALATED"),
  );
  return slept === undefined || agent.activeSince === null ? null : agent.activeSince - slept.at;
}
