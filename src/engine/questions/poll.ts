import type { NewEffect } from "../../core/rows.ts";
import type { EngineContext } from "../context.ts";
import { agentEffect } from "../effect-rows.ts";

/** One look at each question that can be answered by a reaction: no webhook tells of those. */
export async function questionLooks(
  { store }: EngineContext,
  slice: number,
  at: number,
): Promise<readonly NewEffect[]> {
  const open = (await store.questions.answerable()).filter(({ recommended }) => recommended !== null);
  const asking = await store.records.find("agent", { id: open.map(({ agentId }) => agentId) });
  return asking.flatMap((agent) =>
    open
      .filter(({ agentId }) => agentId === agent.id)
      .map(({ id: question }) =>
        agentEffect(agent, { kind: "question_comment", question }, `question-poll:${question}:${slice}`, at),
      ),
  );
}
