/** Something that an operator should know or put right. */
export interface Finding {
  /** What it is about: `clock`, `git`, a path, the full name of a repository. */
  readonly about: string;
  readonly what: string;
  /** What to do, as a sentence without its full stop; empty where `what` says it. */
  readonly next: string;
}

/** Faults hold the start back; advice is only told by doctor. */
export interface Looked {
  readonly faults: readonly Finding[];
  readonly advice: readonly Finding[];
}

/** One line for a person. */
export function sentence({ about, what, next }: Finding): string {
  return next === "" ? `${about}: ${unended(what)}.` : `${about}: ${unended(what)}. ${unended(next)}.`;
}

function unended(text: string): string {
  return text.replace(/\.$/, "");
}
