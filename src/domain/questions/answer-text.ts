import { moment, oneLine } from "../messages/format.ts";
import type { QuestionRow } from "./question.ts";
import type { GivenAnswer } from "./question-answer.ts";

/** What agents are told of answers to their questions. A person's answer carries its link, as every word of a person. */

const HOW: Readonly<Record<GivenAnswer["via"], string>> = {
  reply: "answers",
  checkbox: "answers by ticking a box",
  reaction: "answers with a thumbs up for the recommended option",
  command: "answers",
};

/** With the question, because the conversation that asked it may be lost. */
export function answerTold(question: Pick<QuestionRow, "text">, answer: GivenAnswer): string {
  return `@${answer.by} ${HOW[answer.via]} (${answer.url}):\n\n${answer.text}\n\nYou had asked: ${oneLine(question.text)}`;
}

/** Somebody was first: the answer that counts, and this one. */
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

/** The default holds; it must never read as a person's word. */
export function timeOutTold(
  { text, deadlineAt }: Pick<QuestionRow, "text" | "deadlineAt">,
  defaultOption: string,
): string {
  return `${NOBODY} by ${moment(deadlineAt)} (${oneLine(text)}). Decided by time-out, not by a person: continue with your default, ${defaultOption}. Mention this in your report.`;
}

/** What wakes with the reason `answer` and is nobody's answer. */
export function isTimeOutTold(detail: string): boolean {
  return detail.startsWith(NOBODY);
}
