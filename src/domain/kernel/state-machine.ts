import type { DecisionRule } from "../decisions/rules.ts";

/**
 * The table engine. A machine is a typed table of rules; `step` is pure and total: it returns the next snapshot and
 * what follows from it, or a refusal, and never throws.
 */

export const NEW = "(new)";

export interface MachineSnapshot<S extends string> {
  /** 0 until the store assigns one. */
  readonly id: number;
  readonly state: S;
  /** Raised by one at each save; saving an older one fails with `StaleSnapshot`. */
  readonly version: number;
}

export interface MachineEvent {
  readonly type: string;
}

/** The members of an event union that may have the type `T`. */
export type EventOf<E extends MachineEvent, T extends E["type"]> = E extends MachineEvent
  ? T extends E["type"]
    ? E
    : never
  : never;

/**
 * Why a guard refused an event; a guard that only separates its rule from the next one returns `false`. `keeps` = the
 * event is kept and offered again when what `rule` names has changed.
 */
export interface GuardRefusal {
  readonly rule: DecisionRule;
  readonly reason: string;
  readonly keeps: boolean;
  /** What would let the event through, where that is more than the rule's own words. */
  readonly change?: string;
}

export function no(rule: DecisionRule, reason: string, keeps = false): GuardRefusal {
  return { rule, reason, keeps };
}

/** One arrow, or several that differ only in their start. */
export interface Rule<S extends string, Snap extends MachineSnapshot<S>, E extends MachineEvent, Fx, Out> {
  readonly from: typeof NEW | readonly S[];
  readonly on: E["type"];
  readonly to: S | "unchanged";
  readonly guard?: (snapshot: Snap, event: E) => boolean | GuardRefusal;
  /** Fields that change with the move, besides the state. */
  readonly change?: (snapshot: Snap, event: E) => Partial<Snap>;
  /** Things to do outside, as data. */
  readonly effects?: (after: Snap, event: E, before: Snap) => readonly Fx[];
  /** Events for other machines; they are stepped in the same transaction. */
  readonly emits?: (after: Snap, event: E, before: Snap) => readonly Out[];
}

/** A rule whose functions see the event with its own type. */
export interface RuleDefinition<
  S extends string,
  Snap extends MachineSnapshot<S>,
  E extends MachineEvent,
  Fx,
  Out,
> {
  readonly from: typeof NEW | readonly S[];
  readonly to: S | "unchanged";
  readonly guard?: (snapshot: Snap, event: E) => boolean | GuardRefusal;
  readonly change?: (snapshot: Snap, event: E) => Partial<Snap>;
  readonly effects?: (after: Snap, event: E, before: Snap) => readonly Fx[];
  readonly emits?: (after: Snap, event: E, before: Snap) => readonly Out[];
}

/** Returns the maker of rules for one machine: `rule("START", { … })`. */
export function ruleMaker<
  S extends string,
  Snap extends MachineSnapshot<S>,
  E extends MachineEvent,
  Fx,
  Out,
>() {
  return <T extends E["type"]>(
    on: T,
    definition: RuleDefinition<S, Snap, EventOf<E, T>, Fx, Out>,
  ): Rule<S, Snap, E, Fx, Out> =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `step` gives a rule only events whose type is its `on`
    ({ on, ...definition }) as unknown as Rule<S, Snap, E, Fx, Out>;
}

export interface Machine<
  S extends string,
  Snap extends MachineSnapshot<S>,
  E extends MachineEvent,
  Fx = never,
  Out = never,
> {
  readonly name: string;
  readonly states: readonly S[];
  readonly terminal: readonly S[];
  readonly events: readonly E["type"][];
  readonly rules: readonly Rule<S, Snap, E, Fx, Out>[];
}

export interface Moved<S extends string, Snap, Fx, Out> {
  readonly ok: true;
  readonly from: S | typeof NEW;
  readonly snapshot: Snap;
  readonly effects: readonly Fx[];
  readonly emits: readonly Out[];
}

export interface Refusal {
  readonly ok: false;
  readonly code: "no_such_transition" | "guard_refused" | "nothing_to_resume";
  readonly machine: string;
  readonly state: string;
  readonly event: string;
  readonly rule: DecisionRule;
  readonly reason: string;
  readonly keeps: boolean;
  readonly change?: string;
}

/**
 * Applies one event to one snapshot (undefined = it does not exist yet). Rules of the same state and event are tried in
 * the table's order; the first whose guard allows is taken. `blank` supplies the initial fields of a new record.
 */
export function step<S extends string, Snap extends MachineSnapshot<S>, E extends MachineEvent, Fx, Out>(
  machine: Machine<S, Snap, E, Fx, Out>,
  snapshot: Snap | undefined,
  event: E,
  blank?: Snap,
): Moved<S, Snap, Fx, Out> | Refusal {
  const from = snapshot?.state ?? NEW;
  const before = snapshot ?? blank;
  const refuse = (code: Refusal["code"], rule: DecisionRule, reason: string, keeps = false): Refusal => ({
    ok: false,
    code,
    machine: machine.name,
    state: from,
    event: event.type,
    rule,
    reason,
    keeps,
  });
  let refusal = refuse(
    "no_such_transition",
    "no_such_transition",
    `${machine.name} in ${from} takes no ${event.type}`,
  );
  if (before === undefined) return refusal;
  const candidates = machine.rules.filter(
    (rule) =>
      rule.on === event.type &&
      (rule.from === NEW ? from === NEW : snapshot !== undefined && rule.from.includes(snapshot.state)),
  );
  for (const rule of candidates) {
    const verdict = rule.guard?.(before, event) ?? true;
    // The event is meant for another rule of the table; without one, the move does not exist.
    if (verdict === false) continue;
    if (verdict !== true) {
      const code = verdict.rule === "nothing_to_resume" ? "nothing_to_resume" : "guard_refused";
      // Of several refusals the first is returned.
      if (refusal.code === "no_such_transition")
        refusal = { ...refuse(code, verdict.rule, verdict.reason), ...verdict };
      continue;
    }
    const changed: Snap = { ...before, ...rule.change?.(before, event) };
    const after: Snap = rule.to === "unchanged" ? changed : { ...changed, state: rule.to };
    return {
      ok: true,
      from,
      snapshot: after,
      effects: rule.effects?.(after, event, before) ?? [],
      emits: rule.emits?.(after, event, before) ?? [],
    };
  }
  return refusal;
}

/** Returns the table as a Mermaid `stateDiagram-v2`. */
export function toMermaid<S extends string, Snap extends MachineSnapshot<S>, E extends MachineEvent, Fx, Out>(
  machine: Machine<S, Snap, E, Fx, Out>,
): string {
  const arrows = machine.rules.flatMap((rule) =>
    rule.from === NEW
      ? [`  [*] --> ${rule.to}: ${rule.on}`]
      : rule.from.map((from) => `  ${from} --> ${rule.to === "unchanged" ? from : rule.to}: ${rule.on}`),
  );
  const ends = machine.terminal.map((state) => `  ${state} --> [*]`);
  return ["stateDiagram-v2", ...new Set(arrows), ...ends].join("\n");
}
