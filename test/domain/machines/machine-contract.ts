import { array, assert as assertProperty, constantFrom, property } from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Machine,
  type MachineEvent,
  type MachineSnapshot,
  NEW,
  step,
  toMermaid,
} from "../../../src/domain/kernel/state-machine.ts";
import { type Arrow, arrowsOf, printArrow } from "./arrow.ts";

/** An event that takes an arrow, with the fields that the snapshot needs for it beside the state. */
export interface Witness<Snap, E> {
  readonly event: E;
  readonly snapshot?: Partial<Snap>;
}

export interface Tested<S extends string, Snap extends MachineSnapshot<S>, E extends MachineEvent, Fx, Out> {
  readonly machine: Machine<S, Snap, E, Fx, Out>;
  readonly blank: Snap;
  /** What a record is before its first event: nothing, or a blank one in this state. */
  readonly start: typeof NEW | S;
  readonly witness: (arrow: Arrow) => Witness<Snap, E>;
  /** Events that a terminal state takes. */
  readonly terminalTakes: readonly string[];
  /** Events beside the witnesses' that a way to an arrow needs. */
  readonly more?: readonly E[];
  /** What tells reachable snapshots apart; their state by default. Must take finitely many values. */
  readonly key?: (snapshot: Snap) => string;
}

/** Every arrow that a snapshot reached from the start takes, each with a shortest way to it: a breadth-first search. */
function waysThrough<S extends string, Snap extends MachineSnapshot<S>, E extends MachineEvent, Fx, Out>(
  { machine, blank, key = ({ state }) => state }: Tested<S, Snap, E, Fx, Out>,
  events: readonly E[],
  start: Snap | undefined,
) {
  interface Way {
    readonly arrow: Arrow;
    readonly path: readonly string[];
    readonly events: readonly E[];
  }
  const ways = new Map<string, Way>();
  const none: readonly string[] = [];
  const nothing: readonly E[] = [];
  const reached = new Map([
    [start === undefined ? NEW : key(start), { snapshot: start, path: none, events: nothing }],
  ]);
  // A Map continues to what is added to it while it is walked.
  for (const { snapshot, path, events: before } of reached.values())
    for (const event of events) {
      const result = step(machine, snapshot, event, blank);
      if (!result.ok) continue;
      const arrow = { from: result.from, event: event.type, to: result.snapshot.state };
      const way = { path: [...path, printArrow(arrow)], events: [...before, event] };
      if (!ways.has(printArrow(arrow))) ways.set(printArrow(arrow), { arrow, ...way });
      const name = key(result.snapshot);
      if (!reached.has(name)) reached.set(name, { snapshot: result.snapshot, ...way });
    }
  return [...ways.values()];
}

/** What every machine keeps, made from its own table. */
export function machineContract<
  S extends string,
  Snap extends MachineSnapshot<S>,
  E extends MachineEvent,
  Fx,
  Out,
>(tested: Tested<S, Snap, E, Fx, Out>): void {
  const { machine, blank, witness } = tested;
  const arrows = arrowsOf(machine);
  const witnesses = arrows.map((arrow) => witness(arrow));
  const events = witnesses.map(({ event }) => event);
  const terminal: readonly string[] = machine.terminal;
  const at = (state: string, fields: Partial<Snap> = {}): Snap | undefined =>
    state === NEW ? undefined : Object.freeze({ ...blank, id: 1, version: 1, ...fields, state });

  describe(`the ${machine.name} machine`, () => {
    it.each(arrows)("goes from $from by $event to $to", (arrow) => {
      const { event, snapshot } = witness(arrow);
      const before = at(arrow.from, snapshot);
      const result = step(machine, before, event, blank);
      expect(result).toMatchObject({ ok: true, from: arrow.from, snapshot: { state: arrow.to } });
      const identity = { id: before?.id ?? blank.id, version: before?.version ?? blank.version };
      expect(result).toMatchObject({ snapshot: identity });
    });

    const pairs = [NEW, ...machine.states].flatMap((from) =>
      machine.events.map((type) => ({ from, event: type })),
    );
    const others = pairs.filter(
      ({ from, event }) => !arrows.some((arrow) => arrow.from === from && arrow.event === event),
    );
    it.each(others)("in $from takes no $event", ({ from, event: type }) => {
      for (const { event, snapshot } of witnesses.filter((one) => one.event.type === type)) {
        const before = at(from, snapshot);
        const copy = structuredClone(before);
        const result = step(machine, before, event, blank);
        expect(result).toEqual({
          ok: false,
          code: "no_such_transition",
          machine: machine.name,
          state: from,
          event: type,
          rule: "no_such_transition",
          reason: `${machine.name} in ${from} takes no ${type}`,
          keeps: false,
        });
        expect(before).toEqual(copy);
      }
    });

    it.each(["constructor", "__proto__", "toString", "hasOwnProperty", ""])(
      "refuses an event that is called %j in every state",
      (type) => {
        for (const state of [NEW, ...machine.states]) {
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what comes from outside may be called anything
          const event = { ...events[0], type } as unknown as E;
          expect(step(machine, at(state), event, blank)).toMatchObject({
            ok: false,
            code: "no_such_transition",
            event: type,
          });
        }
      },
    );

    it("makes nothing from nothing without the fields that a new record starts with", () => {
      for (const event of events)
        expect(step(machine, undefined, event)).toMatchObject({ ok: false, code: "no_such_transition" });
    });

    const ways = waysThrough(tested, [...events, ...(tested.more ?? [])], at(tested.start));

    it("reaches every state by its own events alone", () => {
      const reached = new Set<string>([tested.start, ...ways.map(({ arrow }) => arrow.to)]);
      expect(machine.states.filter((state) => !reached.has(state))).toEqual([]);
    });

    it.each(arrows)("takes $from --$event--> $to on a shortest way from its start", (arrow) => {
      const way = ways.find((one) => printArrow(one.arrow) === printArrow(arrow));
      expect(way?.path.at(-1)).toBe(printArrow(arrow));
      let snapshot = at(tested.start);
      for (const event of way?.events ?? []) {
        const result = step(machine, snapshot, event, blank);
        if (!result.ok) throw new Error(`${event.type} was refused on the way: ${result.reason}`);
        snapshot = result.snapshot;
      }
      expect(snapshot?.state).toBe(arrow.to);
    });

    it("never throws, leaves its states or leaves a terminal one, whatever comes in whatever order", () => {
      assertProperty(
        property(array(constantFrom(...events), { maxLength: 40 }), (sequence) => {
          let snapshot = at(tested.start);
          for (const event of sequence) {
            const result = step(machine, snapshot, event, blank);
            if (!result.ok) continue;
            expect(machine.states).toContain(result.snapshot.state);
            expect(terminal.includes(result.from) && !tested.terminalTakes.includes(event.type)).toBe(false);
            snapshot = Object.freeze(result.snapshot);
          }
        }),
        { numRuns: 300 },
      );
    });

    it("takes from its terminal states only what it must", () => {
      const taken = arrows.filter(({ from }) => terminal.includes(from)).map(({ event }) => event);
      expect([...new Set(taken)]).toEqual(tested.terminalTakes);
    });

    it("prints every arrow and every end as a Mermaid diagram", () => {
      const [title, ...lines] = toMermaid(machine).split("\n");
      const expected = arrows.map(
        ({ from, event, to }) => `  ${from === NEW ? "[*]" : from} --> ${to}: ${event}`,
      );
      const ends = terminal.map((state) => `  ${state} --> [*]`);
      expect(title).toBe("stateDiagram-v2");
      expect(lines.toSorted()).toEqual([...new Set([...expected, ...ends])].toSorted());
    });
  });
}
