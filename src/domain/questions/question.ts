import { duration } from "../messages/format.ts";

/** One of the answers that an agent offers. */
export interface QuestionOption {
  readonly name: string;
  /** The consequence cannot be undone: only a person may choose the option. */
  readonly destructive: boolean;
}

/** A question as the agent's tool call gives it. */
export interface AskedQuestion {
  readonly question: string;
  readonly options: readonly QuestionOption[];
  /** Name of an option; null where none is recommended. */
  readonly recommended: string | null;
  readonly default: string | null;
  /** Number and unit (`90m`, `4h`, `2d`); null for the configured one. */
  readonly deadline: string | null;
  /** A login; null for the configured people. */
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
  /** TIMED_OUT with a default is final; without one a person may still answer. */
  readonly state: (typeof QUESTION_STATES)[number];
  readonly text: string;
  readonly options: readonly QuestionOption[];
  readonly recommended: string | null;
  /** The option that counts without an answer; never a destructive one. */
  readonly defaultOption: string | null;
  readonly deadlineAt: number;
  /** Logins, or teams, in the order in which they were asked. */
  readonly askedOf: readonly string[];
  /** The comment that asks the question; null until it is written. */
  readonly commentId: number | null;
  /** The option's name where the answer chooses one, else its text. */
  readonly answer: string | null;
  /** A login; null where nobody answered, whatever `answer` contains. */
  readonly answeredBy: string | null;
  readonly via: AnsweredVia | null;
  readonly answeredAt: number | null;
  readonly remindedAt: number | null;
  readonly secondAskedAt: number | null;
  readonly createdAt: number;
}

/** Returns the key in the marker of the question's comment. */
export function questionKey(id: number): string {
  return `question-${id}`;
}

/** Returns whether the question still accepts an answer. */
export function isAnswerable({
  state,
  defaultOption,
}: Pick<QuestionRow, "state" | "defaultOption">): boolean {
  return state === "OPEN" || (state === "TIMED_OUT" && defaultOption === null);
}

/** Returns why the question cannot be asked, for the model; null when it can. */
export function questionFault(asked: AskedQuestion): string | null {
  const names = asked.options.map(({ name }) => name);
  const folded = names.map(fold);
  const twice = names.find((name, index) => folded.indexOf(fold(name)) !== index);
  if (twice !== undefined) return `Two options are named "${twice}": give each a name of its own.`;
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

/** People need this time to see a question at all; no question waits longer than the other limit. */
const LEAST_MS = 15 * 60_000;
const MOST_MS = 7 * 86_400_000;

/**
 * Returns how long the question stays open; `note` tells the model when that is not what it asked for. The configured
 * time is not changed. For a deadline without a fault.
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

/** Returns a text for comparison with names of options: without formatting characters and final punctuation. */
export function fold(text: string): string {
  return text
    .replace(/[`*_"']/g, "")
    .replace(/\s+/g, " ")
    .replace(/(?<![.,!)\s])[.,!)\s]+$/, "")
    .trim()
    .toLowerCase();
}

/** The configured times of open questions, in milliseconds. */
interface QuestionTimes {
  /** `questions.deadline`: for questions that name none. */
  readonly deadlineMs: number;
  /** `escalation.remind_after`. */
  readonly remindAfterMs: number;
  /** `escalation.second_person_after`. */
  readonly secondPersonAfterMs: number;
}

/** What is due for an open question. */
type QuestionDue = "reminder" | "second_person" | "deadline";

/**
 * Returns the one thing that is due now; null for nothing. The reminder comes at half of the time at the latest, the
 * second person at three quarters: a short deadline would otherwise pass before anybody was asked again.
 */
export function questionDue(
  question: Pick<QuestionRow, "createdAt" | "deadlineAt" | "remindedAt" | "secondAskedAt">,
  times: QuestionTimes,
  at: number,
): QuestionDue | null {
  const { createdAt, deadlineAt, remindedAt, secondAskedAt } = question;
  const span = deadlineAt - createdAt;
  if (at >= deadlineAt) return "deadline";
  if (secondAskedAt === null && at >= createdAt + Math.min(times.secondPersonAfterMs, (span * 3) / 4))
    return "second_person";
  if (remindedAt === null && at >= createdAt + Math.min(times.remindAfterMs, span / 2)) return "reminder";
  return null;
}

/** Returns the next person to ask: the first configured one who was not asked yet. */
export function nextPerson(notify: readonly string[], askedOf: readonly string[]): string | null {
  const asked = new Set(askedOf.map((login) => login.toLowerCase()));
  return notify.find((login) => !asked.has(login.toLowerCase())) ?? null;
}
