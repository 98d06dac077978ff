import { moment, oneLine } from "../messages/format.ts";
import { inlineCode } from "../messages/inline-code.ts";
import { personNamed, sayer } from "../status/person-named.ts";
import { type AnsweredVia, fold, type QuestionOption, type QuestionRow } from "./question.ts";

/** A person's answer to a question, before it is known whether it is the first. */
export interface GivenAnswer {
  readonly question: number;
  readonly agentId: number;
  /** The option's name where the answer chooses one, else its text. */
  readonly text: string;
  /** A login, or `operator:<account>`. */
  readonly by: string;
  readonly via: Exclude<AnsweredVia, "time-out">;
  /** Its address on GitHub; null for one that was not given there. */
  readonly url: string | null;
}

/** Returns the option that a text chooses by number or name alone; null for any other text. */
export function optionMeant(options: readonly QuestionOption[], said: string): QuestionOption | null {
  const meant = fold(said);
  const number = /^(?:option ?)?#?(\d{1,2})$/.exec(meant)?.[1];
  if (number !== undefined) return options[Number(number) - 1] ?? null;
  return options.find(({ name }) => fold(name) === meant) ?? null;
}

/** Returns the options whose boxes are ticked in the question's comment. */
export function tickedOptions(options: readonly QuestionOption[], body: string): readonly QuestionOption[] {
  return options.filter((_, index) =>
    new RegExp(`^[-*] \\[[xX]\\] \\*\\*${index + 1}\\*\\*`, "m").test(body),
  );
}

/** Returns what is stored of an answer: the chosen option, or the text. */
export function answerOf(question: Pick<QuestionRow, "options">, said: string): string {
  return optionMeant(question.options, said)?.name ?? said.trim();
}

const HOW: Readonly<Record<GivenAnswer["via"], string>> = {
  reply: "answers",
  checkbox: "answers by ticking a box",
  reaction: "answers with a thumbs up for the recommended option",
  command: "answers",
};

/**
 * Returns what the agent reads of an answer. Includes the link, if it has one, and the question,
 * because the conversation that asked it may be lost.
 */
export function answerForAgent(question: Pick<QuestionRow, "text">, answer: GivenAnswer): string {
  return `${sayer(answer.by)} ${HOW[answer.via]}${at(answer)}:\n\n${answer.text}\n\nYou had asked: ${oneLine(question.text)}`;
}

const at = ({ url }: Pick<GivenAnswer, "url">) => (url === null ? "" : ` (${url})`);

/** Returns the comment for people who answered after somebody else had. */
export function firstAnswer({ answer, answeredBy }: Pick<QuestionRow, "answer" | "answeredBy">): string {
  const by = answeredBy === null ? "Somebody" : inlineCode(personNamed(answeredBy));
  return `${by} was first to answer, and that counts: ${inlineCode(oneLine(answer ?? ""), 200)}\n\nThe agent reads later answers as messages. To stop it, say \`/flotilla pause\`.`;
}

/** Returns the message about a later answer: the answer that counts, and this one. */
export function laterAnswerMessage(
  question: Pick<QuestionRow, "answer" | "answeredBy" | "via">,
  later: GivenAnswer,
): string {
  return `${sayer(later.by)} answers your question as well${at(later)}, but ${earlier(question)}. Take this as a message:\n\n${later.text}`;
}

function earlier({ answer, answeredBy, via }: Pick<QuestionRow, "answer" | "answeredBy" | "via">): string {
  if (answeredBy !== null && answer !== null)
    return `${personNamed(answeredBy)} was first, and that counts: ${oneLine(answer)}`;
  return via === null ? "you continued without an answer" : "it was decided by time-out before that";
}

const NOBODY = "nobody answered your question";

/** Returns the message that the default counts; it must never read like a person's answer. */
export function timeOutMessage(
  { text, deadlineAt }: Pick<QuestionRow, "text" | "deadlineAt">,
  defaultOption: string,
): string {
  return `${NOBODY} by ${moment(deadlineAt)} (${oneLine(text)}). Decided by time-out, not by a person: continue with your default, ${defaultOption}. Mention this in your report.`;
}

/** Returns true for the text of a wake with the reason `answer` that no person wrote. */
export function isTimeOutMessage(detail: string): boolean {
  return detail.startsWith(NOBODY);
}
