import { describe, expect, it } from "vitest";
import type { RunRecord } from "../../../src/domain/agents/run.ts";
import { runWalker } from "../run-walker.ts";
import { printWay, typeOf, type Way } from "../walker.ts";
import {
  CONFIGURATION,
  EVENTS,
  MATRIX,
  MOVES,
  PAUSES,
  TAKEN,
  type TheirEvent,
  UNNAMED_EVENTS,
} from "./moves.ts";
import { STATES, THEIR_STATES, type Theirs, UNNAMED, WAYS } from "./states.ts";

const THEIR_EVENTS: readonly TheirEvent[] = [
  "START",
  "STEP",
  "PAUSE",
  "RESUME",
  "ERROR",
  "COMPLETE",
  "ABORT",
];

const waysTo = (state: Theirs) => WAYS[state].map((states) => runWalker.reach(...states));

/** The moves of the document as it writes them three times over. */
export function statesAndTransitions(): void {
  describe("the states", () => {
    it("stand for each of ours once, but for ends before their clean-up", () => {
      const named = [...THEIR_STATES.flatMap((state) => STATES[state].ours), ...UNNAMED];
      expect(named.toSorted()).toEqual(runWalker.states.toSorted());
    });

    it("are all reached by our own events", () => {
      for (const state of THEIR_STATES) {
        const ends = waysTo(state).map(({ snapshot }) => snapshot?.state);
        expect(new Set(ends)).toEqual(new Set(STATES[state].ours));
      }
    });
  });

  describe("the events", () => {
    it("stand for each of ours once, but for what it does not know", () => {
      const named = [...Object.values(EVENTS).flat(), ...Object.keys(UNNAMED_EVENTS)];
      expect(named.toSorted()).toEqual(runWalker.events.toSorted());
    });
  });

  describe("the transition table", () => {
    it("has fifteen rows", () => {
      expect(MOVES.map(({ row }) => row)).toEqual([...Array.from({ length: 15 }, (_, n) => n + 1), "matrix"]);
    });

    /** A new attempt is no move of the Run that ended: the engine shows it. */
    const within = MOVES.filter(({ ruled }) => ruled !== "completed_is_final_yet_starts");
    it.each(within)("row $row: in $from by $event to $to", ({ from, to, by, ends }) => {
      for (const way of waysTo(from))
        expect(
          runWalker.pathThrough(way, ends === undefined ? STATES[to].ours : [ends], { by, bound: 4 }),
          `after ${printWay(way)} by ${by.map(typeOf).join(", ")}`,
        ).not.toBeNull();
    });

    it.each(PAUSES)("row 6 for the reason $reason", ({ by, at }) => {
      expect(STATES.paused.ours).toContain(at);
      for (const way of waysTo("running"))
        expect(
          runWalker.pathThrough(way, [at], { by, bound: 2 }),
          `after ${printWay(way)} by ${by.map(typeOf).join(", ")}`,
        ).not.toBeNull();
    });

    it("uses for a row only events that stand for its own, before it an intent, after it the clean-up", () => {
      for (const { event, by, actions } of MOVES) {
        const besides = [
          ...(event === "COMPLETE" ? ["PLAN_COMPLETE", "ADAPTATION_COMPLETE"] : []),
          ...(event === "RESUME" ? ["INIT_COMPLETE"] : []),
          ...(actions.includes("cleanup") || event === "START" ? ["RESET"] : []),
        ];
        expect([...EVENTS[event], ...besides]).toEqual(expect.arrayContaining(by.map(typeOf)));
      }
    });
  });

  describe("the matrix", () => {
    it("and the configuration have the moves of the table, and one more", () => {
      const table = moveNames(MOVES.filter(({ row }) => row !== "matrix"));
      const configured = THEIR_STATES.flatMap((from) =>
        Object.entries(CONFIGURATION[from]).flatMap(([event, ends]) =>
          ends.map((to) => ({ from, event, to })),
        ),
      );
      const extra = MOVES.filter(({ row }) => row === "matrix");
      expect(extra.map(({ ruled }) => ruled)).toEqual(["abort_while_starting"]);
      expect(moveNames(configured)).toEqual([...table, ...moveNames(extra)].toSorted());
      const cells = THEIR_STATES.flatMap((from) => MATRIX[from].map((event) => `${from} ${event}`));
      expect(cells.toSorted()).toEqual(
        [...new Set(MOVES.map(({ from, event }) => `${from} ${event}`))].toSorted(),
      );
    });

    const forbidden = THEIR_STATES.flatMap((from) =>
      THEIR_EVENTS.filter((event) => !MATRIX[from].includes(event)).map((event) => ({ from, event })),
    );
    it("leaves 28 of its 42 cells invalid", () => {
      expect(forbidden).toHaveLength(28);
    });

    it.each(forbidden)(
      "has no $event in $from: ours for it are refused, but for what is ruled",
      ({ from, event }) => {
        const taken = waysTo(from).flatMap((way) => EVENTS[event].flatMap((ours) => takenBy(way, ours)));
        const ruled = TAKEN.filter((one) => one.from === from && EVENTS[event].includes(typeOf(one.event)));
        expect([...new Set(taken)].toSorted()).toEqual(
          ruled.map((one) => `${one.state} ${typeOf(one.event)} ${one.to}`).toSorted(),
        );
      },
    );

    it.each(TAKEN)(
      "is ruled where ours takes $event in $state: $ruled",
      ({ from, state, event, to, ruled }) => {
        expect(STATES[from].ours).toContain(state);
        expect(runWalker.answers(runWalker.reach(state), event)).toEqual([{ to }]);
        expect(STATES[from].ours.some((ours) => ours === to)).toBe(ruled === "stays");
      },
    );
  });
}

/** What ours takes of an event after a way, as `state event to`. */
function takenBy(way: Way<RunRecord>, event: string): readonly string[] {
  const state = way.snapshot?.state ?? "";
  return runWalker
    .answers(way, event)
    .flatMap((answer) => ("to" in answer ? [`${state} ${event} ${answer.to}`] : []));
}

function moveNames(moves: readonly { from: string; event: string; to: string }[]): readonly string[] {
  return moves.map(({ from, event, to }) => `${from} ${event} ${to}`).toSorted();
}
