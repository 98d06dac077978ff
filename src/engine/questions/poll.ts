import type { AgentRecord } from "../../core/machines/agent-record.ts";
import { isAnswerable } from "../../core/question.ts";
import type { NewEffect } from "../../core/rows.ts";
import type { EngineContext } from "../context.ts";
import { agentEffect } from "../effect-rows.ts";

/** One look at each question of these agents that can be answered by a reaction: no webhook tells of those. */
export async function questionLooks(
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
