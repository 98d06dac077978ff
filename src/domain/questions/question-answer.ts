import { type AnsweredVia, fold, type QuestionOption, type QuestionRow } from "./question.ts";

/** A person's answer to a question, before it is known whether it is the first. */
export interface GivenAnswer {
  readonly question: number;
  readonly agentId: number;
  /** The option's name where the answer chooses one, else its text. */
  readonly text: string;
  /** Login. */
  readonly by: string;
  readonly via: Exclude<AnsweredVia, "time-out">;
  /** Its address on GitHub. */
  readonly url: string;
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
