import type { QuestionRow } from "../question.ts";
import type { GivenAnswer } from "../question-answer.ts";

/** Questions of agents to people. */
export interface QuestionTable {
  add(
    asked: Pick<
      QuestionRow,
      | "agentId"
      | "text"
      | "options"
      | "recommended"
      | "defaultOption"
      | "deadlineAt"
      | "askedOf"
      | "createdAt"
    >,
  ): Promise<QuestionRow>;
  get(id: number): Promise<QuestionRow | undefined>;
  /** Of these agents, oldest first. */
  ofAgents(agentIds: readonly number[]): Promise<readonly QuestionRow[]>;
  /** Those to which an answer still counts, of all agents, oldest first, at most `limit` behind the id `after`. */
  answerable(after: number, limit: number): Promise<readonly QuestionRow[]>;
  /** The first answer; false when the question is settled already. */
  answer(answer: GivenAnswer, at: number): Promise<boolean>;
  /** Nobody answered in time: its default holds where it has one. False when it is not open any more. */
  timeOut(id: number, at: number): Promise<boolean>;
  /** Nobody needs to answer any more; a settled one stays as it is. */
  withdraw(id: number): Promise<void>;
  /** The comment that asks it. */
  written(id: number, commentId: number): Promise<void>;
  /** False when it is not open any more. */
  askedAgain(
    id: number,
    fields: Pick<QuestionRow, "remindedAt" | "secondAskedAt" | "askedOf">,
  ): Promise<boolean>;
}
