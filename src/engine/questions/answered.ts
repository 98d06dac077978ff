import { isLive } from "../../domain/agents/agent-record.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { GivenAnswer } from "../../domain/questions/question-answer.ts";
import { answerForAgent, firstAnswer, laterAnswerMessage } from "../../domain/questions/question-answer.ts";
import { personNamed } from "../../domain/status/person-named.ts";
import { agentEffect, issueEffect } from "../kernel/effect-rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { TransitionRequest } from "../kernel/transition-request.ts";

/**
 * Returns the key of the wake that settles a question; the same key whoever settles it, so that there is one
 * wake.
 */
export function questionWakeKey(question: number): string {
  return `question-${question}`;
}

/** Saves the answers of a change set. */
export async function saveAnswers(
  _: EngineContext,
  tables: Tables,
  request: TransitionRequest,
): Promise<void> {
  for (const answer of request.changes.answers) await giveAnswer(tables, request, answer);
}

/**
 * Saves an answer. The first one wakes the agent that asked; a later one reaches a live agent as a message,
 * and is only recorded once the agent has ended. A comment says whose answer counts to people who answer after somebody else.
 */
async function giveAnswer(
  tables: Tables,
  { at, delivery, name, repositoryId, issue }: TransitionRequest,
  answer: GivenAnswer,
): Promise<void> {
  const { agentId, question: id } = answer;
  const agent = await tables.records.get("agent", agentId);
  const first = await tables.questions.answer(answer, at);
  const question = await tables.questions.get(id);
  if (agent === undefined || question === undefined) return;
  const wake = { agentId, grant: null, dueAt: at, createdAt: at };
  if (first) {
    const key = questionWakeKey(id);
    await tables.wakes.add({ ...wake, key, reason: "answer", detail: answerForAgent(question, answer) });
    await tables.effects.add([
      agentEffect(agent, { kind: "question_comment", question: id }, `question-${id}:answered`, at),
    ]);
    return;
  }
  if (question.answeredBy !== null && question.answeredBy !== answer.by) {
    const effect = {
      kind: "post_comment",
      name: `question-${id}-first`,
      body: firstAnswer(question),
    } as const;
    await tables.effects.add([
      { ...issueEffect({ repositoryId, issue, effect, at }), key: `question-${id}:first` },
    ]);
  }
  if (isLive(agent)) {
    const key = `${delivery ?? name ?? ""}:${agentId}:later-answer`;
    await tables.wakes.add({ ...wake, key, reason: "message", detail: laterAnswerMessage(question, answer) });
    return;
  }
  await tables.decisions.add({
    at,
    repositoryId,
    issue,
    delivery,
    agentId,
    rule: "no_question",
    reason: `${personNamed(answer.by)} answers a question that is settled, and ${agent.name} has ended`,
    change: null,
    inputs: { question: id },
  });
}
