import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { NewEffect } from "../../domain/kernel/rows.ts";
import { isAnswerable } from "../../domain/questions/question.ts";
import { agentEffect } from "../kernel/effect-rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/**
 * Returns one refresh for each question of these agents that a reaction can answer, because GitHub sends no
 * webhook for reactions.
 */
export async function questionPolls(
  { store }: EngineContext,
  agents: readonly AgentRecord[],
  { slice, at }: { readonly slice: number; readonly at: number },
): Promise<readonly NewEffect[]> {
  const asked = await store.questions.ofAgents(agents.map(({ id }) => id));
  const open = asked.filter((question) => isAnswerable(question) && question.recommended !== null);
  return agents.flatMap((agent) =>
    open
      .filter(({ agentId }) => agentId === agent.id)
      .map(({ id: question }) =>
        agentEffect(agent, { kind: "question_comment", question }, `question-poll:${question}:${slice}`, at),
      ),
  );
}
