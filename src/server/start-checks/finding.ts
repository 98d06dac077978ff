/** Something that an operator should know or fix. */
export interface Finding {
  /** The subject: `clock`, `git`, a path, the full name of a repository. */
  readonly about: string;
  readonly what: string;
  /** What to do, as a sentence without its full stop; empty if `what` already says it. */
  readonly next: string;
}

/** Faults prevent the start; only doctor prints advice. */
export interface StartFindings {
  readonly faults: readonly Finding[];
  readonly advice: readonly Finding[];
}

/** Formats a finding as one line for a person. */
export function sentence({ about, what, next }: Finding): string {
  return next === "" ? `${about}: ${unended(what)}.` : `${about}: ${unended(what)}. ${unended(next)}.`;
}

function unended(text: string): string {
  return text.replace(/\.$/, "");
}
