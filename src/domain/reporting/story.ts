import { SLEEP_REASONS, type SleepReason, WAKE_REASONS, type WakeReason } from "../agents/agent-record.ts";
import type { DecisionRule } from "../decisions/rules.ts";
import { type Missing, missingSentence } from "../evidence/missing.ts";
import { decisionText } from "../kernel/decision-text.ts";
import type { DecisionRow, TransitionRow, WakeRow } from "../kernel/rows.ts";

/** One event as an operator reads it: what happened, why, and who did it. */
export interface StoryLine {
  /** From a closed list, as what the agent or its issue does: "asks a person". */
  readonly what: string;
  /** One line, at most `LONGEST` characters. May quote a model or a stranger. */
  readonly why: string | null;
  /** A login or an operator; null for Flotilla and its agents. */
  readonly by: string | null;
}

type Moved = Pick<TransitionRow, "machine" | "event" | "actor" | "from" | "to" | "reason">;

const LONGEST = 200;

/** Returns what a move tells; null for a step that a reader can do without. `breaker` = the limit that stopped the agent. */
export function storyOfMove(move: Moved, breaker: string | null = null): StoryLine | null {
  if (move.from === move.to) return null;
  switch (move.machine) {
    case "agent":
      return line(move, ofAgent(move, breaker));
    case "task":
      return line(move, TASK_WORDS[move.to]);
    case "goal":
    case "sprint":
      return line(move, `${move.machine} is ${move.to}`);
    default:
      return null;
  }
}

/** Returns what a decision tells, where a person can do something about it. */
export function storyOfDecision(decision: Pick<DecisionRow, "rule" | "reason" | "change">): StoryLine | null {
  const { what, why, next } = decisionText(decision);
  if (QUIET.has(decision.rule) || next.startsWith("nothing")) return null;
  return { what, why: short(why), by: null };
}

/** Returns what people tell an agent, or decide for it; null for a wake by anything else. */
export function storyOfWake({ reason, detail }: Pick<WakeRow, "reason" | "detail">): StoryLine | null {
  const what = TOLD_WORDS[reason];
  return what === undefined ? null : { what, why: short(detail), by: null };
}

/** Returns what a claim that the work is done lacks. */
export function storyOfMissing(missing: Missing): StoryLine {
  return { what: "is not done yet", why: short(missingSentence(missing)), by: null };
}

const TOLD_WORDS: Readonly<Partial<Record<WakeReason, string>>> = {
  answer: "gets an answer",
  approval: "gets a decision",
  message: "gets a message",
  resumed: "is told to continue",
};

type Words = string | readonly [what: string, why: string | null] | undefined;

function line({ actor, reason }: Moved, words: Words): StoryLine | null {
  if (words === undefined) return null;
  const [what, why] = typeof words === "string" ? [words, reason] : words;
  return { what, why: why === null ? null : short(why), by: NOBODY.has(actor) ? null : actor };
}

const NOBODY: ReadonlySet<string> = new Set(["flotilla", "flotilla[bot]", "agent"]);

function ofAgent({ event, from, to, reason }: Moved, breaker: string | null): Words {
  switch (to) {
    case "CREATED":
      return "is created";
    case "ACTIVE":
      if (event === "START") return "starts work";
      if (event !== "WAKE") return ["continues", from === "ESCALATED" ? "a person has answered" : reason];
      return ["wakes", WAKE_WORDS[WAKE_REASONS.find((one) => one === reason) ?? "resumed"]];
    case "SLEEPING":
      return asleep(event, reason, breaker);
    case "ESCALATED":
      return "needs a person";
    case "COMPLETED":
      return "is done";
    case "FAILED":
      return "has failed";
    case "CANCELLED":
      return "is cancelled";
    default:
      return undefined;
  }
}

/** The reason of a wait is its kind, a colon, and the details. */
function asleep(event: string, reason: string | null, breaker: string | null): Words {
  if (event === "PAUSE") return ["is paused", reason];
  if (event === "BLOCKED") return ["sleeps", reason === null ? null : `waits for ${reason}`];
  const kind = SLEEP_REASONS.find((one) => reason?.startsWith(`${one}:`) === true);
  if (kind === undefined) return ["sleeps", reason];
  const detail = reason?.slice(kind.length + 1).trim() ?? "";
  if (kind === "question") return ["asks a person", detail];
  if (kind === "approval")
    return breaker === null
      ? ["asks for an approval", detail]
      : ["has reached a limit", `${breaker}: ${detail}`];
  return ["sleeps", [SLEEP_WORDS[kind], detail].filter((one) => one !== "").join(": ")];
}

const SLEEP_WORDS: Readonly<Record<Exclude<SleepReason, "question" | "approval">, string>> = {
  blocked: "waits for another issue",
  review: "waits for a review",
  checks: "waits for the checks",
  provider_limit: "waits for a limit to pass",
  retry: "tries again later",
  restart: "Flotilla stops",
  time: "waits for a set time",
  paused: "paused",
};

const WAKE_WORDS: Readonly<Record<WakeReason, string>> = {
  blocker: "the issue that it waited for is closed",
  review: "its work was reviewed",
  answer: "its question has its answer",
  approval: "a person has decided",
  checks: "the checks are done",
  limit_reset: "the limit has passed",
  retry: "it tries again",
  restart: "Flotilla runs again",
  time: "the time has come",
  message: "somebody wrote to it",
  base_moved: "the base branch has moved",
  resumed: "a person lets it continue",
};

/** Moves of an issue's work that its agents do not tell by themselves. */
const TASK_WORDS: Readonly<Record<string, string>> = {
  APPROVED: "work is approved",
  REJECTED: "changes are requested",
  INTEGRATION_FAILED: "work cannot be merged as it is",
  BLOCKED: "work is blocked",
  MERGED: "work is merged",
  SUPERSEDED: "work is replaced by another issue",
  ABANDONED: "work is given up",
};

/** Decisions that only say that an event on GitHub concerned nobody. */
const QUIET: ReadonlySet<DecisionRule> = new Set<DecisionRule>([
  "assigned_to_bot",
  "escalation_label",
  "label_unused",
  "nobody_concerned",
  "nobody_waits",
  "not_ours",
  "own_act",
  "own_wake",
  "state_label",
  "talk",
]);

function short(text: string): string {
  const flat = text.replace(/\s+/g, " ").trim();
  return flat.length <= LONGEST ? flat : `${flat.slice(0, LONGEST - 1).toWellFormed()}…`;
}
