import type { AgentEvent } from "../../domain/agents/agent-event.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { isAnswerable } from "../../domain/questions/question.ts";
import { agentEffect } from "../outbox/effect-rows.ts";

const waits = ({ state, sleepReason }: Pick<AgentRecord, "state" | "sleepReason">): boolean =>
  state === "ESCALATED" || (state === "SLEEPING" && sleepReason === "question");

/** What an agent asked before it continued or ended in another way than by an answer is asked no longer. */
export async function withdrawQuestions(
  tables: Tables,
  before: AgentRecord | undefined,
  after: AgentRecord,
  wish: AgentEvent,
): Promise<void> {
  if (before === undefined || !waits(before) || waits(after)) return;
  for (const question of (await tables.questions.ofAgents([after.id])).filter(isAnswerable)) {
    await tables.questions.withdraw(question.id);
    // Nothing is written on an issue that is not there any more.
    if (wish.type === "CANCEL" && wish.gone === true) continue;
    const effect = { kind: "question_comment", question: question.id } as const;
    await tables.effects.add([agentEffect(after, effect, `question-${question.id}:withdrawn`, wish.at)]);
  }
}
