import { z } from "zod";

/** What may stand behind `?`. */
export interface QueryParameter {
  readonly about: string;
  /** Of one value: of a number as a number, of all else as text. */
  readonly schema: z.ZodType;
  /** Told to who sends another value. */
  readonly hint: string;
  readonly required?: true;
}

/** A parameter that takes one of some words. */
export function oneOf(
  name: string,
  words: readonly [string, ...string[]],
  about: string,
): Readonly<Record<string, QueryParameter>> {
  return {
    [name]: { about, schema: z.enum(words), hint: `?${name}= takes one of ${words.join(", ")}` },
  };
}
