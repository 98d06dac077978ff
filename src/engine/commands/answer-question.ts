import { OperationError } from "../../domain/commands/operation-fault.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { answers } from "../../domain/questions/on-answer.ts";
import { isAnswerable, type QuestionRow } from "../../domain/questions/question.ts";
import { operatorTouch } from "../../domain/reporting/operator-touch.ts";
import { personNamed } from "../../domain/status/person-named.ts";
import { advanceAgent } from "../kernel/advance-agent.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { operationName } from "../kernel/operation-name.ts";

/** A person's answer to one question of an agent. */
export interface PersonsAnswer {
  readonly question: number;
  /** The number or the name of an option, or words of their own. */
  readonly text: string;
  /** Chosen by the caller and unique: a repeated id answers once. */
  readonly id: string;
  /** A login, or `operator:<account>`. */
  readonly by: string;
}

/** Carries out `/flotilla answer` for exactly this question. Throws `OperationError`. */
export async function answerQuestion(
  context: EngineContext,
  { question: id, text, id: act, by }: PersonsAnswer,
): Promise<{ readonly answer: string }> {
  const { store, clock } = context;
  const question = await store.questions.get(id);
  const agent = question && (await store.records.get("agent", question.agentId));
  if (question === undefined || agent === undefined)
    throw new OperationError({ code: "not_found", what: `question ${id}` });
  const settled = (now: QuestionRow): OperationError =>
    new OperationError({
      code: "invalid_state",
      agent: agent.name,
      state: agent.state,
      operation: "answer",
      why: settledText(now),
    });
  if (!isAnswerable(question)) throw settled(question);
  const changes = answers(question, { text, by, url: null }, "command");
  const touch = operatorTouch(agent, "comment", { act, at: clock.now() });
  const also = async ({ ledger, questions }: Tables): Promise<void> => {
    // Somebody may have answered since it was read.
    const now = await questions.get(id);
    if (now !== undefined && !isAnswerable(now)) throw settled(now);
    await ledger.touch(touch);
  };
  await advanceAgent(context, agent, changes, { name: operationName(act), also });
  return { answer: changes.answers[0]?.text ?? text };
}

/** Returns why the question takes no answer any more. */
function settledText({ state, answer, answeredBy }: QuestionRow): string {
  if (state === "WITHDRAWN")
    return "That question needs no answer any more: its agent has continued or ended";
  return answeredBy === null
    ? `That question was decided by time-out: ${answer}`
    : `That question was already answered by ${personNamed(answeredBy)}: ${answer}`;
}
