import { type AnsweredVia, fold, type QuestionOption, type QuestionRow } from "./question.ts";

/** A person's answer to a question, before it is known whether it is the first. */
export interface GivenAnswer {
  readonly question: number;
  readonly agentId: number;
  /** The option's name where one was meant, else what was said. */
  readonly text: string;
  /** Login. */
  readonly by: string;
  readonly via: Exclude<AnsweredVia, "time-out">;
  /** Where it stands on GitHub. */
  readonly url: string;
}

/** Returns the option that a text names by number or name and says nothing else; null for an answer in own words. */
export function optionMeant(options: readonly QuestionOption[], said: string): QuestionOption | null {
  const meant = fold(said);
  const number = /^(?:option ?)?#?(\d{1,2})$/.exec(meant)?.[1];
  if (number !== undefined) return options[Number(number) - 1] ?? null;
  return options.find(({ name }) => fold(name) === meant) ?? null;
}

/** The options whose boxes are ticked in the question's comment as it stands. */
export function tickedOptions(options: readonly QuestionOption[], body: string): readonly QuestionOption[] {
  return options.filter((_, index) =>
    new RegExp(`^[-*] \\[[xX]\\] \\*\\*${index + 1}\\*\\*`, "m").test(body),
  );
}

/** What is kept of an answer: the option that it means, or the text. */
export function answerOf(question: Pick<QuestionRow, "options">, said: string): string {
  return optionMeant(question.options, said)?.name ?? said.trim();
}
