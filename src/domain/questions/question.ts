import { duration } from "../messages/format.ts";

/** One of the answers that an agent offers. */
export interface QuestionOption {
  readonly name: string;
  /** What it leads to cannot be undone: a person takes it, or nobody does. */
  readonly destructive: boolean;
}

/** A question as the agent's tool call words it. */
export interface AskedQuestion {
  readonly question: string;
  readonly options: readonly QuestionOption[];
  /** Names of options; null where none is named. */
  readonly recommended: string | null;
  readonly default: string | null;
  /** Number and unit (`90m`, `4h`, `2d`); null for the configured one. */
  readonly deadline: string | null;
  /** A login; null for whom the configuration names. */
  readonly who: string | null;
}

/** How an answer came. */
export const ANSWERED_VIA = ["reply", "checkbox", "reaction", "command", "time-out"] as const;
export type AnsweredVia = (typeof ANSWERED_VIA)[number];

export const QUESTION_STATES = ["OPEN", "ANSWERED", "TIMED_OUT", "WITHDRAWN"] as const;

/** A question to people. Times are milliseconds since the epoch. */
export interface QuestionRow {
  readonly id: number;
  readonly agentId: number;
  /** TIMED_OUT with a default is settled by it; without one a person may still answer. */
  readonly state: (typeof QUESTION_STATES)[number];
  readonly text: string;
  readonly options: readonly QuestionOption[];
  readonly recommended: string | null;
  /** What holds without an answer; never a destructive option. */
  readonly defaultOption: string | null;
  readonly deadlineAt: number;
  /** Logins, or teams, in the order in which they were asked. */
  readonly askedOf: readonly string[];
  /** The comment that asks it; null until it is written. */
  readonly commentId: number | null;
  /** The option's name where one was meant, else what was said. */
  readonly answer: string | null;
  /** A login; null where nobody answered, whatever `answer` says. */
  readonly answeredBy: string | null;
  readonly via: AnsweredVia | null;
  readonly answeredAt: number | null;
  readonly remindedAt: number | null;
  readonly secondAskedAt: number | null;
  readonly createdAt: number;
}

/** What the marker of the comment that asks it is called. */
export function questionKey(id: number): string {
  return `question-${id}`;
}

/** Returns whether an answer to it still counts. */
export function isAnswerable({
  state,
  defaultOption,
}: Pick<QuestionRow, "state" | "defaultOption">): boolean {
  return state === "OPEN" || (state === "TIMED_OUT" && defaultOption === null);
}

/** Why this cannot be asked, for the model; null when it can. */
export function questionFault(asked: AskedQuestion): string | null {
  const names = asked.options.map(({ name }) => name);
  const folded = names.map(fold);
  const twice = names.find((name, index) => folded.indexOf(fold(name)) !== index);
  if (twice !== undefined) return `The option "${twice}" stands there twice: give each a name of its own.`;
  const numbered = names.find((name) => /^(?:option ?)?#?\d+$/.test(fold(name)));
  if (numbered !== undefined)
    return `The option "${numbered}" is a number, and people answer with the numbers of options: say it in words.`;
  for (const key of ["recommended", "default"] as const) {
    const name = asked[key];
    if (name !== null && !names.includes(name))
      return `${key} is "${name}", which is none of the options: write one of ${quoted(names)}, exactly so.`;
  }
  const fallback = asked.options.find(({ name }) => name === asked.default);
  if (fallback?.destructive === true)
    return `The option "${fallback.name}" is destructive, so it can never be the default: only a person may choose it. Name another default, or none.`;
  if (asked.deadline !== null && spanOf(asked.deadline) === null)
    return `deadline is "${asked.deadline}": write a whole number with its unit, such as 90m, 4h or 2d.`;
  return null;
}

/** People need so long to see it at all; and nothing waits for an answer longer than this. */
const LEAST_MS = 15 * 60_000;
const MOST_MS = 7 * 86_400_000;

/**
 * How long the question stays open; `note` says to the model where that is not what it asked for. The configured time
 * holds as it is. For a deadline without a fault.
 */
export function deadlineOf(
  { deadline }: Pick<AskedQuestion, "deadline">,
  configuredMs: number,
): { readonly ms: number; readonly note: string | null } {
  const wanted = deadline === null ? null : spanOf(deadline);
  if (deadline === null || wanted === null) return { ms: configuredMs, note: null };
  const ms = Math.min(Math.max(wanted, LEAST_MS), Math.max(MOST_MS, configuredMs));
  const note =
    ms === wanted
      ? null
      : `The deadline is in ${duration(ms)}, not in ${deadline}: ${ms > wanted ? "people need that long at the least" : "nothing waits longer"}.`;
  return { ms, note };
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function spanOf(text: string): number | null {
  const [, count, unit] = /^([1-9]\d{0,3})\s*([mhd])$/.exec(text.trim()) ?? [];
  const ms = UNITS[unit ?? ""];
  return ms === undefined ? null : Number(count) * ms;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}

/** For comparing what people write with names of options: without marks, and without what they put at the end. */
export function fold(text: string): string {
  return text
    .replace(/[`*_"']/g, "")
    .replace(/\s+/g, " ")
    .replace(/(?<![.,!)\s])[.,!)\s]+$/, "")
    .trim()
    .toLowerCase();
}
