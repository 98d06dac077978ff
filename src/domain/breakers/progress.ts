import { z } from "zod";
import { callFingerprint, canonical, hash, type ToolCall } from "../sessions/fingerprint.ts";
import { section, setting } from "../settings/keys.ts";

export const progressLimits = section("progress", "When an agent counts as making no progress.", {
  turnsWithoutChange: setting("turns_without_change", z.int().min(1), {
    description:
      "Turns in a row that bring nothing new before another way is tried; with four and six times as many that only read.",
    default: 5,
    repository: "lower",
  }),
});

/** One completed model call with its tools. */
export interface ObservedTurn {
  readonly calls: readonly ToolCall[];
  /** A hash of the worktree's content; null where there is none. */
  readonly tree: string | null;
}

type StuckKind = "same_call" | "alternating" | "same_failure" | "no_change";

/** Says how an agent is stuck. */
export interface Stuck {
  readonly kind: StuckKind;
  /** What was repeated, for the model and for people. */
  readonly what: string;
}

/** So many equal turns in a row are a loop; a cycle of several turns is one after fewer rounds. */
const SAME_TURNS = 4;
const ROUNDS = 3;
const LONGEST_CIRCLE = 4;
/** Milliseconds. A call that takes this long waits for something, and may be repeated for as many turns as `POLLS`. */
const WAITING_MS = 5_000;
const POLLS = 30;
/** How often the same check may fail in the same way, whatever is edited in between. */
const SAME_FAILURES = 6;
/** Turns of reading, in units of `turns_without_change`: before the first change, and after it. */
const READING_FIRST = 6;
const READING_LATER = 4;
/** How many states of the worktree, and how many calls between two changes, are remembered. */
const TREES = 64;
const FACTS = 1000;

interface PastTurn {
  /** The turn's fingerprint, by its name in stored rows. */
  readonly mark: string;
  readonly waits: boolean;
}

/** What is remembered of one conversation. */
export interface Progress {
  /** False for a role that changes no files: its work is to read. */
  readonly changes: boolean;
  readonly tree: string | null;
  readonly trees: readonly string[];
  /** Whether the worktree has ever changed. */
  readonly begun: boolean;
  /** Fingerprints of all calls since the last new state of the worktree. */
  readonly known: readonly string[];
  /** Turns since then, the latest last. */
  readonly turns: readonly PastTurn[];
  /** Turns in a row that brought nothing new. */
  readonly idle: number;
  /** Turns in a row that brought no new state of the worktree. */
  readonly reading: number;
  /** For each check that failed last: how it failed, and how often in a row. */
  readonly failures: Readonly<Record<string, { readonly mark: string; readonly count: number }>>;
}

export function noProgressYet(options: { changes: boolean; tree: string | null }): Progress {
  return {
    changes: options.changes,
    tree: options.tree,
    trees: options.tree === null ? [] : [options.tree],
    begun: false,
    known: [],
    turns: [],
    idle: 0,
    reading: 0,
    failures: {},
  };
}

/**
 * Returns the memory after a turn, and whether the agent is stuck. New means a state of the worktree that was not seen
 * before, or a call whose result was not known since the last one; a call that waits is neither new nor idle.
 * `turnsWithoutChange` is the setting of that name.
 */
export function afterTurn(
  before: Progress,
  turn: ObservedTurn,
  turnsWithoutChange: number,
): { readonly progress: Progress; readonly stuck: Stuck | null } {
  const progress = remember(before, turn);
  return {
    progress,
    stuck:
      repeatedFailure(progress, turn) ??
      circle(progress.turns, turn) ??
      noChange(progress, turnsWithoutChange),
  };
}

function remember(before: Progress, turn: ObservedTurn): Progress {
  const { tree } = turn;
  const fingerprints = turn.calls.map(callFingerprint);
  const failures = failuresAfter(before, turn.calls);
  if (tree !== null && !before.trees.includes(tree)) {
    const trees = [...before.trees, tree].slice(-TREES);
    // The first state that is seen is not a change.
    const begun = before.begun || before.tree !== null;
    return { ...before, tree, trees, begun, known: fingerprints, turns: [], idle: 0, reading: 0, failures };
  }
  const waits = turn.calls.length > 0 && turn.calls.every(({ ms }) => ms >= WAITING_MS);
  const learned = fingerprints.some((fingerprint) => !before.known.includes(fingerprint));
  const fingerprint = hash([tree ?? "", ...fingerprints.toSorted()].join());
  return {
    ...before,
    tree,
    failures,
    known: [...new Set([...before.known, ...fingerprints])].slice(-FACTS),
    turns: [...before.turns, { mark: fingerprint, waits }].slice(-POLLS),
    idle: learned ? 0 : before.idle + (waits ? 0 : 1),
    reading: before.reading + (waits ? 0 : 1),
  };
}

const checkOf = (call: ToolCall) => hash(`${call.tool}\n${canonical(call.args)}`);

/**
 * Returns whether a check failed, by its own exit code: to the runtime a command that failed is a call that succeeded.
 */
function failed(call: ToolCall): boolean {
  return !call.ok || /exit(?:ed with)?(?: exit)? code:? [1-9]/i.test(call.output);
}

function failuresAfter(before: Progress, calls: readonly ToolCall[]): Progress["failures"] {
  const failures = { ...before.failures };
  for (const call of calls) {
    const check = checkOf(call);
    const fingerprint = callFingerprint(call);
    const last = failures[check];
    if (!failed(call)) delete failures[check];
    else failures[check] = { mark: fingerprint, count: last?.mark === fingerprint ? last.count + 1 : 1 };
  }
  return failures;
}

function repeatedFailure(progress: Progress, turn: ObservedTurn): Stuck | null {
  const call = turn.calls.find((one) => (progress.failures[checkOf(one)]?.count ?? 0) >= SAME_FAILURES);
  if (call === undefined) return null;
  return { kind: "same_failure", what: `${named(call)} failed ${SAME_FAILURES} times in the same way` };
}

function circle(turns: readonly PastTurn[], turn: ObservedTurn): Stuck | null {
  for (let length = 1; length <= LONGEST_CIRCLE; length += 1) {
    const rounds = length === 1 ? SAME_TURNS : ROUNDS;
    const waiting = turns.slice(-length).every(({ waits }) => waits);
    const needed = waiting ? POLLS : length * rounds;
    const last = turns.slice(-needed);
    if (last.length < needed || !last.every(({ mark }, at) => mark === last[at % length]?.mark)) continue;
    const calls = turn.calls.length === 0 ? "a turn without a call" : turn.calls.map(named).join(" and ");
    return length === 1
      ? { kind: "same_call", what: `${calls} was repeated ${needed} times with the same result` }
      : {
          kind: "alternating",
          what: `the same ${length} turns were repeated ${Math.floor(needed / length)} times, the last with ${calls}`,
        };
  }
  return null;
}

function noChange(progress: Progress, turnsWithoutChange: number): Stuck | null {
  if (progress.idle >= turnsWithoutChange)
    return { kind: "no_change", what: `${progress.idle} turns in a row found nothing new` };
  const bound = turnsWithoutChange * (progress.begun ? READING_LATER : READING_FIRST);
  if (!progress.changes || progress.reading < bound) return null;
  return { kind: "no_change", what: `${progress.reading} turns in a row changed no file` };
}

/** Returns a call in short form, since its arguments may be long. */
function named(call: ToolCall): string {
  const args = canonical(call.args);
  return `${call.tool} ${args.length > 120 ? `${args.slice(0, 119)}…` : args}`;
}
