import { moment, oneLine } from "../messages/format.ts";
import type { QuestionRow } from "./question.ts";
import type { GivenAnswer } from "./question-answer.ts";

/**
 * What agents read about answers to their questions. A person's answer includes its link, like every message of a
 * person.
 */

const HOW: Readonly<Record<GivenAnswer["via"], string>> = {
  reply: "answers",
  checkbox: "answers by ticking a box",
  reaction: "answers with a thumbs up for the recommended option",
  command: "answers",
};

/** Includes the question, because the conversation that asked it may be lost. */
export function answerTold(question: Pick<QuestionRow, "text">, answer: GivenAnswer): string {
  return `@${answer.by} ${HOW[answer.via]} (${answer.url}):\n\n${answer.text}\n\nYou had asked: ${oneLine(question.text)}`;
}

/** Returns the message about a later answer: the answer that counts, and this one. */
export function laterAnswerTold(
  question: Pick<QuestionRow, "answer" | "answeredBy" | "via">,
  later: GivenAnswer,
): string {
  return `@${later.by} answers your question as well (${later.url}), but ${earlier(question)}. Take this as a message:\n\n${later.text}`;
}

function earlier({ answer, answeredBy, via }: Pick<QuestionRow, "answer" | "answeredBy" | "via">): string {
  if (answeredBy !== null && answer !== null)
    return `@${answeredBy} was first, and that counts: ${oneLine(answer)}`;
  return via === null ? "you continued without an answer" : "it was decided by time-out before that";
}

const NOBODY = "nobody answered your question";

/** Returns the message that the default counts; it must never read like a person's answer. */
export function timeOutTold(
  { text, deadlineAt }: Pick<QuestionRow, "text" | "deadlineAt">,
  defaultOption: string,
): string {
  return `${NOBODY} by ${moment(deadlineAt)} (${oneLine(text)}). Decided by time-out, not by a person: continue with your default, ${defaultOption}. Mention this in your report.`;
}

/** Returns true for the text of a wake with the reason `answer` that no person wrote. */
export function isTimeOutTold(detail: string): boolean {
  return detail.startsWith(NOBODY);
}
