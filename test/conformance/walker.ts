import {
  type Machine,
  type MachineEvent,
  type MachineSnapshot,
  NEW,
  type Refusal,
  step,
} from "../../src/domain/kernel/state-machine.ts";

interface Step {
  readonly from: string;
  readonly event: string;
  readonly to: string;
}

/** A way through a machine that was really walked, event by event, and what the record is at its end. */
export interface Way<Snap> {
  readonly steps: readonly Step[];
  /** Undefined before the first event of a machine that begins from nothing. */
  readonly snapshot: Snap | undefined;
}

/** What became of one event: where it led, or why it was refused. */
type Answer = { readonly to: string } | { readonly refusal: Refusal };

/** An event by its type, or by its type and some of its fields. */
export type Pattern = string | { readonly type: string; readonly [field: string]: unknown };

interface Search {
  /** Only these events may be used; all by default. */
  readonly by?: readonly Pattern[];
  /** Most events on the way. */
  readonly bound?: number;
}

/** One of our machines, made walkable: its table, run with real events. */
export interface Walker<Snap> {
  readonly name: string;
  readonly states: readonly string[];
  readonly terminal: readonly string[];
  readonly events: readonly string[];
  /** The shortest way from the beginning through these states in this order. Throws when there is none. */
  reach(...states: readonly string[]): Way<Snap>;
  /** The shortest way on to one of these states with at least one event, or null. */
  pathThrough(from: Way<Snap>, to: readonly string[], search?: Search): Way<Snap> | null;
  /** What each known event of this type does here. Throws when none is known: such a test would show nothing. */
  answers(from: Way<Snap>, event: Pattern): readonly Answer[];
}

/** Long enough for the longest shortest way between two states of any machine. */
const BOUND = 10;

/**
 * `candidates` are the events that a search tries, several of a type where guards tell them apart; `key` says which
 * records are the same for a search, and leaves counters out so that it ends.
 */
export function walkerOf<
  S extends string,
  Snap extends MachineSnapshot<S>,
  E extends MachineEvent,
  Fx,
  Out,
>(walked: {
  readonly machine: Machine<S, Snap, E, Fx, Out>;
  readonly blank: Snap;
  /** What a record is before its first event: nothing, or a blank one. */
  readonly start: typeof NEW | "blank";
  readonly candidates: (snapshot: Snap | undefined) => readonly E[];
  readonly key: (snapshot: Snap) => string;
}): Walker<Snap> {
  const { machine, blank, candidates, key } = walked;
  const begin: Way<Snap> = { steps: [], snapshot: walked.start === NEW ? undefined : blank };

  function pathThrough(from: Way<Snap>, to: readonly string[], search: Search = {}): Way<Snap> | null {
    const bound = search.bound ?? BOUND;
    const seen = new Set<string>();
    let edge: readonly Way<Snap>[] = [{ steps: [], snapshot: from.snapshot }];
    for (let length = 0; length < bound && edge.length > 0; length += 1) {
      const next: Way<Snap>[] = [];
      for (const way of edge)
        for (const event of candidates(way.snapshot)) {
          if (search.by !== undefined && !search.by.some((pattern) => matches(event, pattern))) continue;
          const result = step(machine, way.snapshot, event, blank);
          if (!result.ok) continue;
          const taken = { from: result.from, event: event.type, to: result.snapshot.state };
          const further = { steps: [...way.steps, taken], snapshot: result.snapshot };
          if (to.includes(taken.to)) return { ...further, steps: [...from.steps, ...further.steps] };
          if (seen.has(key(result.snapshot))) continue;
          seen.add(key(result.snapshot));
          next.push(further);
        }
      edge = next;
    }
    return null;
  }

  return {
    name: machine.name,
    states: machine.states,
    terminal: machine.terminal,
    events: machine.events,
    pathThrough,
    reach(...states) {
      let way = begin;
      for (const state of states) {
        // A record that begins in the state asked for is there already.
        if (way === begin && (way.snapshot?.state ?? NEW) === state) continue;
        const further = pathThrough(way, [state]);
        if (further === null) throw new Error(`the ${machine.name} does not come to ${states.join(", ")}`);
        way = further;
      }
      return way;
    },
    answers(from, pattern) {
      const events = candidates(from.snapshot).filter((event) => matches(event, pattern));
      if (events.length === 0) throw new Error(`no event ${typeOf(pattern)} of the ${machine.name} is known`);
      return events.map((event) => {
        const result = step(machine, from.snapshot, event, blank);
        return result.ok ? { to: result.snapshot.state } : { refusal: result };
      });
    },
  };
}

/** The refusals of every known event of this type; throws where one is taken. */
export function refused<Snap>(walker: Walker<Snap>, from: Way<Snap>, event: Pattern): readonly Refusal[] {
  return walker.answers(from, event).map((answer) => {
    if ("refusal" in answer) return answer.refusal;
    throw new Error(`${walker.name} took ${typeOf(event)} after ${printWay(from)} and went to ${answer.to}`);
  });
}

/** A way as `idle --START--> initializing --INIT_COMPLETE--> planning`. */
export function printWay<Snap>({ steps }: Way<Snap>): string {
  const [first] = steps;
  return first === undefined
    ? "the beginning"
    : `${first.from}${steps.map(({ event, to }) => ` --${event}--> ${to}`).join("")}`;
}

export function typeOf(pattern: Pattern): string {
  return typeof pattern === "string" ? pattern : pattern.type;
}

function matches(event: MachineEvent, pattern: Pattern): boolean {
  if (typeof pattern === "string") return event.type === pattern;
  const fields: object = event;
  return Object.entries(pattern).every(
    ([name, value]) => Object.entries(fields).find(([field]) => field === name)?.[1] === value,
  );
}

/** The way further by exactly these events, one after the other; throws where one is refused everywhere. */
export function follow<Snap>(
  walker: Walker<Snap>,
  from: Way<Snap>,
  ...events: readonly Pattern[]
): Way<Snap> {
  let way = from;
  for (const event of events) {
    const further = walker.pathThrough(way, walker.states, { by: [event], bound: 1 });
    if (further === null) throw new Error(`${walker.name} refuses ${typeOf(event)} after ${printWay(way)}`);
    way = further;
  }
  return way;
}
