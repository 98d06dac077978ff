import type { DecisionRule } from "../decisions/rules.ts";
import type { MachineName } from "../kernel/rows.ts";

/** What people do, as the list of their acts sorts it. */
export const PERSONS_ACT_KINDS = [
  "start",
  "pause",
  "resume",
  "cancel",
  "approve",
  "deny",
  "answer",
  "message",
  "complete",
  "set",
  "limit",
  "review",
  "merge",
  "close",
  "plan",
  "retry",
  "schedule",
] as const;
export type PersonsActKind = (typeof PERSONS_ACT_KINDS)[number];

/** An act of a person, read from the row that it left. */
export interface PersonsAct {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** A login, or `operator:<account>`. */
  readonly by: string;
  readonly kind: PersonsActKind;
  /** What the person did, as the rest of a sentence. */
  readonly what: string;
  /** Their words, or the reason that was recorded. */
  readonly detail: string | null;
  /** Null for what concerns no single repository. */
  readonly repositoryId: number | null;
  /** Null for what concerns no single issue. */
  readonly issue: number | null;
  /** Name of the agent that it was about. */
  readonly agent: string | null;
  /** Where it was done; null where that was not recorded. */
  readonly via: "github" | "dashboard" | "command line" | null;
}

/** A move that a person causes: its kind, and what the person did. */
interface MoveOfPerson {
  readonly machine: MachineName;
  readonly event: string;
  readonly kind: PersonsActKind;
  readonly what: string;
}

const of = (machine: MachineName, moves: Readonly<Record<string, readonly [PersonsActKind, string]>>) =>
  Object.entries(moves).map(([event, [kind, what]]): MoveOfPerson => ({ machine, event, kind, what }));

/**
 * The moves that are acts of people where their actor is one. The others, such as that of a task whose agent a person
 * cancels, follow from these. The condition of the index `transition_by_people` lists the same.
 */
export const MOVES_OF_PEOPLE: readonly MoveOfPerson[] = [
  ...of("agent", {
    CREATE: ["start", "started"],
    REVIVE: ["start", "started a new attempt of"],
    REOPEN: ["start", "reopened the work of"],
    PAUSE: ["pause", "paused"],
    RESUME: ["resume", "resumed"],
    CANCEL: ["cancel", "cancelled"],
    WAKE: ["limit", "raised a limit of"],
  }),
  ...of("task", {
    APPROVE: ["review", "approved the work on"],
    REJECT: ["review", "requested changes of the work on"],
    MERGE: ["merge", "merged the work on"],
    OBSERVED_MERGED: ["merge", "merged the work on"],
    OBSERVED_CLOSED: ["close", "closed the work on"],
    FINALIZE: ["start", "released the draft of"],
  }),
  ...of("goal", { OPEN: ["plan", "made a goal of"], ABORT: ["plan", "ended the goal of"] }),
  ...of("sprint", {
    CHECKPOINT: ["plan", "stopped a sprint of"],
    CONTINUE: ["plan", "continued a sprint of"],
    ABORT: ["plan", "ended a sprint of"],
  }),
];

/** The rules of decisions that are acts of people, each act one row: an act that is done again is another one. */
export const ACTS_OF_PEOPLE = [
  "replayed",
  "schedule_asked",
  "persons_act",
] as const satisfies readonly DecisionRule[];

/** What a decision says in `inputs.act` that a person did, where no move does: its kind, and what the person did. */
export const DECIDED_ACTS = {
  pause_scope: ["pause", "paused all agents of"],
  resume_scope: ["resume", "resumed all agents of"],
  start: ["start", "started"],
  resume: ["resume", "let continue"],
  answer: ["answer", "answered what was asked by"],
  message: ["message", "wrote to"],
  complete: ["complete", "declared complete the work of"],
  set: ["set", "set the time to live, labels or tags of"],
} as const satisfies Readonly<Record<string, readonly [PersonsActKind, string]>>;
export type DecidedAct = keyof typeof DECIDED_ACTS;

/** Returns the kind and the words of `inputs.act`; those of another version for a text that this one does not know. */
export function decidedAct(act: string): readonly [PersonsActKind, string] {
  return Object.entries(DECIDED_ACTS).find(([known]) => known === act)?.[1] ?? ["set", "changed"];
}

/** Returns the decision that keeps what a person did. */
export function actDecision(
  act: DecidedAct,
  {
    by,
    reason,
    said = null,
  }: { readonly by: string; readonly reason: string; readonly said?: string | null },
) {
  return { rule: "persons_act", reason, change: null, inputs: { by, act, said } } as const;
}

/** Returns the move's kind and words; undefined for one that is no act of a person. */
export function moveOfPerson(machine: string, event: string): MoveOfPerson | undefined {
  return MOVES_OF_PEOPLE.find((move) => move.machine === machine && move.event === event);
}

/**
 * Returns where somebody acted. `isOnGitHub` is null where the row does not say: what follows later from a person's words
 * names its person, and no longer where they were said.
 */
export function viaOf(by: string, isOnGitHub: boolean | null): PersonsAct["via"] {
  if (by === "operator:dashboard") return "dashboard";
  if (by.startsWith("operator:")) return "command line";
  if (isOnGitHub === null) return null;
  return isOnGitHub ? "github" : "dashboard";
}
